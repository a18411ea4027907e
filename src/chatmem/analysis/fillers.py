"""Words of a message that name no topic, besides stop words: requests, reactions, times, amounts.

All in the form that `normalise` gives.
"""

from typing import Final

from chatmem.text.wordlist import listed

_ENGLISH: Final = listed(
    """
    help want wants wanted need needs needed give gives show make makes making take takes use using
    like likes love think thinks thought know explain describe suggest recommend recommendation
    recommendations suggestion suggestions advice idea ideas tip tips question questions ask asking
    answer answers talk talking say says said see look looking find try trying keep going go goes
    gone went come comes coming start put set work works working thanks thank thx sorry sure fine
    great good nice cool awesome perfect right wrong exactly agree understood continue next last
    stop wait first second finally thing things stuff way ways lot lots bit kind sort part parts
    able possible best better new old big small hope wish feel feeling feels guess wonder
    wondering looks sounds seems interesting interested morning afternoon evening night day days
    week weeks month months year years today tomorrow yesterday tonight weekend time times moment
    monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december hour hours minute minutes soon later recently
    currently actually basically really literally probably definitely lol haha hmm yeah yep nope
    nah bye goodbye welcome dear people person euros euro dollars dollar pounds budget please
    happy sad angry glad worried write create list step steps detail details example examples
    short long write rewrite summarize summarise translate me read text
    mine happened happen happens wow omg alright gotcha cheers
    """
)
_CHINESE: Final = listed(
    """
    帮忙 帮助 推荐 建议 介绍 解释 说明 分析 总结 翻译 列出 列个 列 给出 给我 提供 安排 看看 想想
    试试 问题 请教 咨询 了解 知道 明白 懂 喜欢 希望 觉得 准备 打算 计划 考虑 决定 开始 继续 停止
    结束 完成 处理 解决 好的 可以 行 对 没错 没问题 不错 太好了 太棒了 厉害 谢谢 多谢 感谢 抱歉
    对不起 不好意思 再见 拜拜 晚安 早安 早上好 晚上好 下午好 中午好 你好 您好 收到 嗯 哈哈 哈哈哈
    呵呵 今天 明天 后天 昨天 前天 今晚 明晚 今早 现在 目前 最近 刚才 以后 将来 早上 上午 中午 下午
    晚上 凌晨 周末 星期 礼拜 下周 上周 这周 本周 下个月 上个月 这个月 本月 下月 今年 明年 去年
    每天 每周 每月 周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六
    星期天 星期日 月 日 号 天 年 周 点 分 分钟 小时 时间 东西 事情 事 方面 情况 方法 办法 方式 内容
    部分 地方 开心 高兴 难过 生气 担心 元 块 块钱 人 个人 三个 四个 五个 预算 左右 大概 新 好 大 小
    老 多 少 高 低 快 慢 长 短 远 近 简单 详细 具体 例子 举例 步骤 首先 其次 最后 为啥 咋 啥 真
    感兴趣 有意思 有趣 原来 如此 原来如此 知道了 明白了 加油 辛苦 辛苦了 随便 都行 无所谓 下 想 去
    吧 呀 走 来 到 能 会 要 给 让 第一 第二 第三 一点 多点 更多 再来 换 再 吗 订 买 谢 累 成 做到
    话 话题 聊聊 聊 好好 发生 出现 有没有 一直 天哪 天啊 啊啊 啊啊啊 哇 棒 改成 变成
    """
)
FILLERS: Final = frozenset((*_ENGLISH, *_CHINESE))
"""About 500 words that are met in messages on any topic."""

POINTING_ON: Final = listed(
    """
    and also what about how instead too then there it that this those these
    """
)
"""With these a short message goes on with the topic before it: `and in winter?`."""

POINTING_ON_ZH: Final = listed("那 还有 呢 另外 然后 它 这个 那个 换成")
