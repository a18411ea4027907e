"""Irregular English forms and the words they are forms of.

Stemming joins `visits` and `visited`; it cannot join `went` and `go`. Questions say "did you buy",
messages say "bought": without this table the two never meet.
"""

from typing import Final

_GROUPS: Final = """
arise arose arisen; awake awoke; bear bore born; beat beaten; become became; begin began begun;
bend bent; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring
brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; come came; creep
crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly
flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got
gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; learn learnt;
leave left; lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met; pay
paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek
sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown;
shrink shrank; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke
spoken; speed sped; spend spent; spin spun; stand stood; steal stole stolen; stick stuck; strike
struck; swear swore sworn; sweep swept; swim swam swum; swing swung; take took taken; teach
taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; wake
woke woken; wear wore worn; weave wove woven; weep wept; win won; write wrote written; child
children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; goose geese;
life lives; wife wives; knife knives; leaf leaves; half halves; shelf shelves; bad worse worst;
good better best
"""

BASE_FORM: Final = {
    form: words[0]
    for words in (group.split() for group in _GROUPS.split(";"))
    for form in words[1:]
}
"""From an irregular form to its base: went -> go, children -> child."""
