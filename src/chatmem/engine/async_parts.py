"""The parts of a memory (`memory.sessions`, `memory.people`, ...), awaited."""

from chatmem.engine.answers import Answers
from chatmem.engine.awaiting import Behind, awaited
from chatmem.engine.background.jobs import Jobs
from chatmem.engine.keys import Keys
from chatmem.engine.live_settings import StoredSettings
from chatmem.engine.people import People
from chatmem.engine.profiles.profiles import Profiles
from chatmem.engine.prompt.compose import Composer
from chatmem.engine.prompt.receipts import Receipts
from chatmem.engine.remember.markdown import DailyLogs, MainDocument
from chatmem.engine.sessions.sessions import Sessions


class AsyncSessions(Behind[Sessions]):
    """The user's sessions: listed, read, named, ended, deleted."""

    new = awaited(Sessions.new)
    list = awaited(Sessions.list)
    get = awaited(Sessions.get)
    messages = awaited(Sessions.messages)
    window = awaited(Sessions.window)
    rename = awaited(Sessions.rename)
    collect = awaited(Sessions.collect)
    collected = awaited(Sessions.collected)
    receive = awaited(Sessions.receive)
    working_memory = awaited(Sessions.working_memory)
    summary = awaited(Sessions.summary)
    end = awaited(Sessions.end)
    delete = awaited(Sessions.delete)
    take_back = awaited(Sessions.take_back)
    check_readable = awaited(Sessions.check_readable)


class AsyncPeople(Behind[People]):
    """Households and groups of this user."""

    create_household = awaited(People.create_household)
    create_group = awaited(People.create_group)
    circles = awaited(People.circles)
    household = awaited(People.household)
    circle = awaited(People.circle)
    invite = awaited(People.invite)
    invitations = awaited(People.invitations)
    join = awaited(People.join)
    set_role = awaited(People.set_role)
    remove = awaited(People.remove)
    delete = awaited(People.delete)
    rules = awaited(People.rules)
    set_rules = awaited(People.set_rules)


class AsyncProfiles(Behind[Profiles]):
    """The user's profile, and the household's."""

    read = awaited(Profiles.read)
    write = awaited(Profiles.write)
    visible = awaited(Profiles.visible)
    place = awaited(Profiles.place)


class AsyncMainDocument(Behind[MainDocument]):
    """MEMORY.md as a whole, with the mark of its version."""

    read = awaited(MainDocument.read)
    write = awaited(MainDocument.write)
    reach = awaited(MainDocument.reach)


class AsyncDailyLogs(Behind[DailyLogs]):
    """The user's daily logs: which days there are, and what is written on one."""

    days = awaited(DailyLogs.days)
    read = awaited(DailyLogs.read)
    write = awaited(DailyLogs.write)
    append = awaited(DailyLogs.append)


class AsyncStoredSettings(Behind[StoredSettings]):
    """The settings that are stored with the data."""

    get = awaited(StoredSettings.get)
    origin = awaited(StoredSettings.origin)
    set = awaited(StoredSettings.set)
    unset = awaited(StoredSettings.unset)


class AsyncReceipts(Behind[Receipts]):
    """Receipts of prompts that were composed over a server."""

    put = awaited(Receipts.put)
    get = awaited(Receipts.get)


class AsyncAnswers(Behind[Answers]):
    """Answers that a server has given to requests with an idempotency key."""

    begin = awaited(Answers.begin)
    finish = awaited(Answers.finish)
    abandon = awaited(Answers.abandon)


class AsyncKeys(Behind[Keys]):
    """Keys of a server on this place, of all users."""

    create = awaited(Keys.create)
    list = awaited(Keys.list)
    revoke = awaited(Keys.revoke)
    find = awaited(Keys.find)
    are_needed = awaited(Keys.are_needed)
    open = awaited(Keys.open)


class AsyncJobs(Behind[Jobs]):
    """Background work of this user that waits, or was given up."""

    list = awaited(Jobs.list)
    retry = awaited(Jobs.retry)
    discard = awaited(Jobs.discard)


class AsyncComposer(Behind[Composer]):
    """What prompts are composed with."""

    messages = awaited(Composer.messages)
    text = awaited(Composer.text)
    templates = awaited(Composer.templates)
