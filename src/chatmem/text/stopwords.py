"""Words that say nothing about what a text is about, in English and Simplified Chinese.

All are in the form that `normalise` gives, English ones unstemmed and without apostrophes. Question
scaffolding stands apart, so that what helps a search can be chosen without editing the lists.
"""

from typing import Final

from chatmem.text.wordlist import listed

ENGLISH_STOP_WORDS: Final = frozenset(
    [
        # articles, determiners, pronouns
        *listed(
            """
            a an the this that these those some any each every all both either neither such same
            other another own i me my mine myself we us our ours ourselves you your yours yourself
            yourselves he him his himself she her hers herself it its itself they them their
            theirs themselves one ones someone something anyone anything everyone everything
            nobody nothing
            """
        ),
        # prepositions, conjunctions
        *listed(
            """
            of in on at to for from by with without about into onto upon over under after before
            between among through during against off out up down than as and or but nor so if then
            because while although though unless until since via per
            """
        ),
        # auxiliaries
        *listed(
            """
            am is are was were be been being do does did done doing have has had having can could
            will would shall should might must ought let lets got get gets
            """
        ),
        # contractions, apostrophe dropped, and what is left of them
        *listed(
            """
            dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt cant cannot couldnt wont
            wouldnt shouldnt mustnt neednt aint s t m d re ve ll im ive id youre theyre thats
            theres whats
            """
        ),
        # adverbs and fillers
        *listed(
            """
            not no yes here there now just also too very really quite rather only even still
            already yet again ever else more most much many few less least please ok okay oh hey
            hi hello well maybe perhaps anyway etc
            """
        ),
        # pieces of addresses
        *listed("http https www com"),
    ]
)
ENGLISH_QUESTION_WORDS: Final = frozenset(
    listed(
        """
        what which who whom whose when where why how whos wheres tell remind know remember
        """
    )
)

CHINESE_STOP_WORDS: Final = frozenset(
    [
        # pronouns, demonstratives
        *listed(
            """
            我们 咱们 你们 您们 他们 她们 它们 大家 自己 别人 人家 这个 那个 这些 那些 这样 那样
            这么 那么 这里 那里 这儿 那儿 这边 那边 这种 那种 此外 其他 其它 其中 其实 某个 某些
            各种 每个 一个 一些 一下 一点 一种 一样 有些 有的 有点 一只 一条 一张 一本 一家 一位
            一次 一件 一份 一场 一名 两个 三个
            """
        ),
        # auxiliaries, verbs without content
        *listed(
            """
            可以 可能 能够 应该 应当 需要 必须 想要 愿意 打算 觉得 认为 感觉 知道 表示 进行 成为
            作为 属于 没有 不是 不会 不能 不要 不用 不过 就是 还是 也是 都是 只是 要是 算是 而是
            是否 使用 使得
            """
        ),
        # adverbs
        *listed(
            """
            已经 曾经 正在 刚刚 刚才 马上 立刻 然后 接着 最后 终于 一直 一起 一定 非常 特别 十分
            比较 相当 真的 确实 大概 大约 也许 或许 几乎 差不多 甚至 尤其 的确 到底 究竟 居然 竟然
            果然 当然 仍然 依然 仍旧 重新 再次 又是 而已 只有 只要 只能 才能 才会 都会 也会 还会
            就会 还有 还要 就要
            """
        ),
        # prepositions, conjunctions
        *listed(
            """
            因为 所以 因此 由于 但是 可是 然而 不但 不仅 而且 并且 以及 或者 或是 如果 假如 虽然
            尽管 即使 无论 不管 除了 除非 为了 关于 对于 至于 根据 按照 通过 随着 自从 直到 以来
            以后 以前 之后 之前 之间 时候 的时候 的话 的是 来说 起来 出来 下来 上来 过来 下去 上去
            出去 进来 回来 这时 那时 当时 于是 例如 比如 比如说 譬如 等等
            """
        ),
        # politeness, fillers
        *listed(
            """
            请问 谢谢 不客气 你好 您好 好的 好吧 是的 对了 对吧 是吧 是啊 对啊 嗯嗯 哈哈 哈哈哈
            麻烦 帮我 帮忙 另外 顺便 来着
            """
        ),
    ]
)
CHINESE_QUESTION_WORDS: Final = frozenset(
    listed(
        """
        什么 什么样 什么时候 是什么 为什么 干什么 做什么 有什么 没什么 哪里 哪儿 哪个 哪些 哪位
        哪种 哪天 哪年 在哪 在哪里 在哪儿 多少 多久 多大 多长 几个 几点 几号 几时 怎么 怎么样 怎样
        怎么办 如何 何时 何处 为何 谁的 是不是 有没有 会不会 能不能 要不要 可不可以 记得 还记得
        告诉 告诉我
        """
    )
)
# Single characters: particles, pronouns, prepositions, adverbs, measure words, light verbs (写 and
# 用 among them, S3.3.1). One that is also a word worth finding (茶, 猫, 吃, 学) stays out.
STOP_CHARACTERS: Final = frozenset(
    "的地得了着过吗呢吧啊呀哦噢哎唉嗯呵嘛啦哇喔么们之者所其此"
    "我你您他她它咱谁什怎何这那哪某每各"
    "是在有和与跟同或而且但却则因为以及从到由于被把将给让使叫向往对比按据除当至"
    "也都就才又再还很太更最真挺只仅不没无别勿可能会要想该应须"
    "上下里外前后中内间时候来去起出进回开"
    "一二两三四五六七八九十几多少些点个只次件种位条张本句话样等"
    "说讲问看做干搞弄用写请帮拿放找好嘿哈喂"
)

STOP_WORDS: Final = (
    ENGLISH_STOP_WORDS | ENGLISH_QUESTION_WORDS | CHINESE_STOP_WORDS | CHINESE_QUESTION_WORDS
)
