
PRAGMA page_size=8192;

PRAGMA writable_schema=ON;

BEGIN TRANSACTION;

DROP TABLE IF EXISTS api_key;
CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,                          -- of the key, which is shown once and never kept
    user_id TEXT NOT NULL,
    is_admin INTEGER NOT NULL DEFAULT 0,                -- may act for another user
    created_at TEXT NOT NULL,
    revoked_at TEXT
) WITHOUT ROWID;
INSERT INTO api_key VALUES('9b57db0c','5bc3b96c99645d3b88960c945970677404fa7d07a3e54e8861944a5d3bbbe169','mei',0,'2026-11-23T05:57:47.273Z',NULL);
CREATE INDEX api_key_user ON api_key (user_id);

DROP TABLE IF EXISTS atomic_memory;
CREATE TABLE atomic_memory (
    row_id INTEGER PRIMARY KEY,             -- owner number << 32 | row of that owner
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    timestamp TEXT NOT NULL,                -- when it happened; UTC, as model/time.py writes it
    create_time TEXT NOT NULL,              -- when it was stored
    content TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    session_id TEXT,
    app_type TEXT,
    role TEXT,
    memory_type TEXT NOT NULL DEFAULT 'short_term'
        CHECK (memory_type IN ('short_term', 'long_term')),
    kind TEXT CHECK (kind IN ('semantic', 'episodic')),
    category TEXT CHECK (category IN ('preference', 'fact', 'pattern')),
    key TEXT,
    value TEXT NOT NULL DEFAULT 'null',
    confidence REAL NOT NULL DEFAULT 0.9 CHECK (confidence BETWEEN 0 AND 1),
    source TEXT NOT NULL DEFAULT 'user_stated'
        CHECK (source IN ('user_stated', 'inferred', 'system')),
    importance INTEGER NOT NULL DEFAULT 3 CHECK (importance BETWEEN 1 AND 5),
    visibility TEXT NOT NULL DEFAULT 'private'
        CHECK (visibility IN ('private', 'household', 'group', 'public')),
    valid_from TEXT,
    valid_to TEXT,
    superseded_by TEXT,
    document TEXT
);
INSERT INTO atomic_memory VALUES(8589934592,'y07k3243r11mg','mei','2026-11-20T12:00:00.000Z','2026-11-20T12:00:00.000Z','喜欢喝绿茶','[]',NULL,NULL,NULL,'long_term','semantic','preference','drink','"绿茶"',0.9,'user_stated',3,'private','2026-11-20T12:00:00.000Z','2026-11-20T12:01:00.000Z','x7g5tr9r6a12b','archive/2026-11.md');
INSERT INTO atomic_memory VALUES(8589934593,'x7g5tr9r6a12b','mei','2026-11-20T12:01:00.000Z','2026-11-20T12:01:00.000Z','Drinks oolong now','["tea"]',NULL,NULL,NULL,'long_term','semantic','preference','drink','"oolong"',0.9,'user_stated',3,'private','2026-11-20T12:01:00.000Z',NULL,NULL,'MEMORY.md');
INSERT INTO atomic_memory VALUES(8589934594,'8qqzy0qrvdydx','mei','2026-11-20T12:02:00.000Z','2026-11-20T12:02:00.000Z','Lives in Lisbon','[]',NULL,NULL,NULL,'long_term','semantic','fact',NULL,'null',0.9,'user_stated',5,'household',NULL,NULL,NULL,'MEMORY.md');
INSERT INTO atomic_memory VALUES(8589934596,'dnng0s8srqpp8','mei','2026-11-20T12:05:00.000Z','2026-11-20T12:05:00.000Z','Has two cats','[]',NULL,NULL,NULL,'long_term','semantic','fact',NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,'MEMORY.md');
INSERT INTO atomic_memory VALUES(8589934597,'17q1gcex6f2mz','mei','2026-11-20T12:06:00.000Z','2026-11-20T12:06:00.000Z','Called the dentist','[]',NULL,NULL,NULL,'long_term','episodic','fact',NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,'daily/2026-11-20.md');
INSERT INTO atomic_memory VALUES(8589934598,'te6869f2m359r','mei','2026-11-20T12:07:00.000Z','2026-11-20T12:07:00.000Z','I walk the dog at seven.','[]','s1','chat','user','short_term',NULL,NULL,NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,NULL);
INSERT INTO atomic_memory VALUES(8589934599,'gmeqvdrfnpda9','mei','2026-11-20T12:07:00.000Z','2026-11-20T12:07:00.000Z','Noted.','[]','s1','chat','assistant','short_term',NULL,NULL,NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,NULL);
INSERT INTO atomic_memory VALUES(8589934600,'n3mcg3beyqf3s','mei','2026-11-20T12:08:00.000Z','2026-11-20T12:08:00.000Z','明天去海边。','[]','s1','chat','user','short_term',NULL,NULL,NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,NULL);
INSERT INTO atomic_memory VALUES(8589934601,'8bn3kbz7s0a77','mei','2026-11-20T12:08:00.000Z','2026-11-20T12:08:00.000Z','好的。','[]','s1','chat','assistant','short_term',NULL,NULL,NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,NULL);
INSERT INTO atomic_memory VALUES(12884901888,'6n06r3k1fm26g','tom','2026-11-20T12:14:00.000Z','2026-11-20T12:14:00.000Z','Plays the cello','[]',NULL,NULL,NULL,'long_term','semantic','fact',NULL,'null',0.9,'user_stated',3,'private',NULL,NULL,NULL,'MEMORY.md');
CREATE INDEX memory_document ON atomic_memory (user_id, document) WHERE document IS NOT NULL;
CREATE INDEX memory_key ON atomic_memory (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX memory_long_term ON atomic_memory (user_id, timestamp)
    WHERE memory_type = 'long_term';
CREATE INDEX memory_shared ON atomic_memory (visibility, user_id) WHERE visibility <> 'private';
CREATE INDEX memory_superseded_by ON atomic_memory (superseded_by)
    WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_turn ON atomic_memory (user_id, session_id, role, substr(content, 1, 50))
    WHERE role IS NOT NULL;

DROP TABLE IF EXISTS circle;
CREATE TABLE circle (
    circle_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('household', 'group')),
    name TEXT NOT NULL,
    head TEXT NOT NULL,                     -- who made it; HOUSEHOLD.md is in this user's folder
    created_at TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO circle VALUES('bbkztfcaz6fne','household','Home','mei','2026-11-20T12:11:00.000Z');

DROP TABLE IF EXISTS conversation;
CREATE TABLE "conversation" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    create_time TEXT NOT NULL,
    is_collected INTEGER NOT NULL DEFAULT 0,
    app_type TEXT,
    speaker TEXT,
    source_id TEXT,                         -- the message's id in an imported source
    memory_id TEXT                          -- the memory that holds the same words
);
INSERT INTO conversation VALUES(1,'mei','s1','user','I walk the dog at seven.','2026-11-20T12:07:00.000Z',0,'chat',NULL,NULL,'te6869f2m359r');
INSERT INTO conversation VALUES(2,'mei','s1','assistant','Noted.','2026-11-20T12:07:00.000Z',0,'chat',NULL,NULL,'gmeqvdrfnpda9');
INSERT INTO conversation VALUES(3,'mei','s1','user','明天去海边。','2026-11-20T12:08:00.000Z',0,'chat',NULL,NULL,'n3mcg3beyqf3s');
INSERT INTO conversation VALUES(4,'mei','s1','assistant','好的。','2026-11-20T12:08:00.000Z',0,'chat',NULL,NULL,'8bn3kbz7s0a77');
CREATE INDEX conversation_collected ON conversation (user_id, id) WHERE is_collected = 1;
CREATE INDEX conversation_memory ON conversation (memory_id);
CREATE INDEX conversation_session ON conversation (user_id, session_id, id);
CREATE UNIQUE INDEX conversation_source ON conversation (user_id, source_id)
    WHERE source_id IS NOT NULL;

DROP TABLE IF EXISTS document;
CREATE TABLE document (
    user_id TEXT NOT NULL,
    path TEXT NOT NULL,                     -- relative to the user's memory folder
    etag TEXT NOT NULL,
    modified_ns INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    held TEXT,                              -- why a change was not folded in, null otherwise
    PRIMARY KEY (user_id, path)
) WITHOUT ROWID;
INSERT INTO document VALUES('mei','MEMORY.md','933a28382b92b7b095e6176b40510fbe',1795413468633739130,1795413468648814788,352,3096619,NULL);
INSERT INTO document VALUES('mei','archive/2026-11.md','442a2ebe9bc9a510f8ec2a7ffafe530d',1795413468212814770,1795413468232814770,197,3097085,NULL);
INSERT INTO document VALUES('mei','daily/2026-11-20.md','c96646c386f0cd828a7d1d3637a6c841',1795413468671483967,1795413468684814790,77,3097086,NULL);
INSERT INTO document VALUES('tom','MEMORY.md','a9195f89c6021a528b683225b830568c',1795413469387203912,1795413469396814820,117,3097102,NULL);

DROP TABLE IF EXISTS extraction;
CREATE TABLE extraction (
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    extracted_to INTEGER NOT NULL DEFAULT 0,            -- id of the last conversation row read
    extracted_at TEXT,
    flush TEXT NOT NULL DEFAULT '{}',                   -- JSON of extraction/flush.py
    PRIMARY KEY (user_id, session_id)
) WITHOUT ROWID;

DROP TABLE IF EXISTS handled_event;
CREATE TABLE handled_event (
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (user_id, session_id, event_id)
) WITHOUT ROWID;
CREATE INDEX handled_event_at ON handled_event (at);

DROP TABLE IF EXISTS idempotent_answer;
CREATE TABLE idempotent_answer (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,                              -- hash of what was asked
    status INTEGER,                                     -- null while it is being done
    body TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotent_at ON idempotent_answer (created_at);

DROP TABLE IF EXISTS index_identity;
CREATE TABLE index_identity (what TEXT PRIMARY KEY, identity TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO index_identity VALUES('embedder','fake:1:16');
INSERT INTO index_identity VALUES('embedder_dimension','16');

DROP TABLE IF EXISTS invitation;
CREATE TABLE invitation (
    user_id TEXT NOT NULL,
    circle_id TEXT NOT NULL,
    role TEXT NOT NULL,
    invited_at TEXT NOT NULL,
    PRIMARY KEY (user_id, circle_id)
) WITHOUT ROWID;

DROP TABLE IF EXISTS job;
CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    session_id TEXT NOT NULL,
    due_at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    asked INTEGER NOT NULL DEFAULT 1,       -- how often it was asked for
    error TEXT, leased_by TEXT, leased_until TEXT, given_up_at TEXT,
    UNIQUE (user_id, session_id, kind)
);
INSERT INTO job VALUES(1,'mei','analysis','s1','2026-11-20T12:07:00.000Z',0,2,NULL,NULL,NULL,NULL);
INSERT INTO job VALUES(2,'mei','extraction','s1','2026-11-20T12:07:00.000Z',0,2,NULL,NULL,NULL,NULL);
INSERT INTO job VALUES(3,'mei','summary','s1','2026-11-20T12:07:00.000Z',0,1,NULL,NULL,NULL,NULL);
INSERT INTO job VALUES(4,'mei','profile','s1','2026-11-20T12:08:00.000Z',0,1,NULL,NULL,NULL,NULL);
CREATE INDEX job_due ON job (due_at);
CREATE INDEX job_given_up ON job (user_id, given_up_at) WHERE given_up_at IS NOT NULL;

DROP TABLE IF EXISTS membership;
CREATE TABLE membership (
    user_id TEXT NOT NULL,
    circle_id TEXT NOT NULL,
    role TEXT NOT NULL,
    joined_at TEXT NOT NULL,
    PRIMARY KEY (user_id, circle_id)
) WITHOUT ROWID;
INSERT INTO membership VALUES('mei','bbkztfcaz6fne','parent','2026-11-20T12:11:00.000Z');
INSERT INTO membership VALUES('tom','bbkztfcaz6fne','parent','2026-11-20T12:13:00.000Z');
CREATE INDEX membership_circle ON membership (circle_id);

DROP TABLE IF EXISTS memory_access;
CREATE TABLE memory_access (
    row_id INTEGER PRIMARY KEY,
    last_accessed TEXT NOT NULL,
    access_count INTEGER NOT NULL
);
INSERT INTO memory_access VALUES(8589934592,'2026-11-20T12:10:00.000Z',1);

DELETE FROM sqlite_schema WHERE name='memory_code' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','memory_code','memory_code',0,'CREATE VIRTUAL TABLE memory_code USING vec0 (
    owner INTEGER PARTITION KEY, code BIT[64], chunk_size = 64
)');

DROP TABLE IF EXISTS memory_code_chunks;
CREATE TABLE "memory_code_chunks"(chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,size INTEGER NOT NULL,sequence_id integer,partition00,validity BLOB NOT NULL, rowids BLOB NOT NULL);
INSERT INTO memory_code_chunks VALUES(1,64,NULL,2,X'8001000000000000',X'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000080000000200000009000000020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO memory_code_chunks VALUES(2,64,NULL,3,X'0100000000000000',X'0000000003000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');

DROP TABLE IF EXISTS memory_code_info;
CREATE TABLE "memory_code_info" (key text primary key, value any);
INSERT INTO memory_code_info VALUES('CREATE_VERSION','v0.1.9');
INSERT INTO memory_code_info VALUES('CREATE_VERSION_MAJOR',0);
INSERT INTO memory_code_info VALUES('CREATE_VERSION_MINOR',1);
INSERT INTO memory_code_info VALUES('CREATE_VERSION_PATCH',9);

DROP TABLE IF EXISTS memory_code_rowids;
CREATE TABLE "memory_code_rowids"(rowid INTEGER PRIMARY KEY AUTOINCREMENT,id,chunk_id INTEGER,chunk_offset INTEGER);
INSERT INTO memory_code_rowids VALUES(8589934600,NULL,1,7);
INSERT INTO memory_code_rowids VALUES(8589934601,NULL,1,8);
INSERT INTO memory_code_rowids VALUES(12884901888,NULL,2,0);

DROP TABLE IF EXISTS memory_code_vector_chunks00;
CREATE TABLE "memory_code_vector_chunks00"(rowid PRIMARY KEY,vectors BLOB NOT NULL);
INSERT INTO memory_code_vector_chunks00 VALUES(1,X'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000019000000000000020020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO memory_code_vector_chunks00 VALUES(2,X'0002000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');

DELETE FROM sqlite_schema WHERE name='memory_fts' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','memory_fts','memory_fts',0,'CREATE VIRTUAL TABLE memory_fts USING fts5 (
    tokens, tokenize = "unicode61 remove_diacritics 0 categories ''L* M* N* P* S* Co''"
)');

DROP TABLE IF EXISTS memory_fts_config;
CREATE TABLE 'memory_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO memory_fts_config VALUES('secure-delete',1);
INSERT INTO memory_fts_config VALUES('version',5);

DROP TABLE IF EXISTS memory_fts_content;
CREATE TABLE 'memory_fts_content'(id INTEGER PRIMARY KEY, c0);
INSERT INTO memory_fts_content VALUES(8589934592,'喜 欢 喝 绿 茶 喜欢 欢喝 喝绿 绿茶');
INSERT INTO memory_fts_content VALUES(8589934593,'drink oolong now');
INSERT INTO memory_fts_content VALUES(8589934594,'life in lisbon');
INSERT INTO memory_fts_content VALUES(8589934596,'has two cat');
INSERT INTO memory_fts_content VALUES(8589934597,'call the dentist');
INSERT INTO memory_fts_content VALUES(8589934598,'i walk the dog at seven');
INSERT INTO memory_fts_content VALUES(8589934599,'note');
INSERT INTO memory_fts_content VALUES(8589934600,'明 天 去 海 边 明天 天去 去海 海边');
INSERT INTO memory_fts_content VALUES(8589934601,'好 的 好的');
INSERT INTO memory_fts_content VALUES(12884901888,'play the cello');

DROP TABLE IF EXISTS memory_fts_data;
CREATE TABLE 'memory_fts_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO memory_fts_data VALUES(1,X'0A2B');
INSERT INTO memory_fts_data VALUES(10,X'00000002010A0A000A0101010201010301010401010501010601010701010801010901010A0101');
INSERT INTO memory_fts_data VALUES(137438953473,X'0000006E0430E5969CA08080800002020403E6ACA2A080808000020703019DA08080800002040403E7BBBFA08080800002090103E6ACA2A08080800002030403E5969DA08080800002080103E7BBBFA08080800002050403E88CB6A080808000020A0103E88CB6A0808080000206040C0C0A0C0C0C0C0C');
INSERT INTO memory_fts_data VALUES(274877906945,X'0000002D06306472696E6BA080808001020201036E6F77A080808001020401066F6F6C6F6E67A0808080010203040E0C');
INSERT INTO memory_fts_data VALUES(412316860417,X'000000290330696EA080808002020301046C696665A0808080020202030473626F6EA0808080020204040B0D');
INSERT INTO memory_fts_data VALUES(549755813889,X'00000004');
INSERT INTO memory_fts_data VALUES(687194767361,X'00000004');
INSERT INTO memory_fts_data VALUES(824633720833,X'000000280430636174A08080800402040103686173A0808080040202010374776FA0808080040203040C0C');
INSERT INTO memory_fts_data VALUES(962072674305,X'0000002D053063616C6CA0808080050202010764656E74697374A08080800502040103746865A0808080050203040D10');
INSERT INTO memory_fts_data VALUES(1099511627777,X'0000005903306174A08080800602060103646F67A0808080060205010169A080808006020201046E6F7465A08080800702020105736576656EA08080800602070103746865A0808080060204010477616C6BA0808080060203040B0C0A0D0E0C');
INSERT INTO memory_fts_data VALUES(1236950581249,X'000000910430E58EBBA08080800802040403E6B5B7A08080800802090202A4A9A08080800802030403E58EBBA08080800802080202A5BDA08080800902020403E79A84A08080800902040103E6988EA08080800802020403E5A4A9A08080800802070202B5B7A08080800802050403E8BEB9A080808008020A0103E79A84A08080800902030103E8BEB9A0808080080206040C0C0B0C0B0C0C0C0B0C0C');
INSERT INTO memory_fts_data VALUES(1374389534721,X'0000002B063063656C6C6FB08080800002040104706C6179B08080800002020103746865B0808080000203040E0D');

DROP TABLE IF EXISTS memory_fts_docsize;
CREATE TABLE 'memory_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO memory_fts_docsize VALUES(8589934592,X'09');
INSERT INTO memory_fts_docsize VALUES(8589934593,X'03');
INSERT INTO memory_fts_docsize VALUES(8589934594,X'03');
INSERT INTO memory_fts_docsize VALUES(8589934596,X'03');
INSERT INTO memory_fts_docsize VALUES(8589934597,X'03');
INSERT INTO memory_fts_docsize VALUES(8589934598,X'06');
INSERT INTO memory_fts_docsize VALUES(8589934599,X'01');
INSERT INTO memory_fts_docsize VALUES(8589934600,X'09');
INSERT INTO memory_fts_docsize VALUES(8589934601,X'03');
INSERT INTO memory_fts_docsize VALUES(12884901888,X'03');

DROP TABLE IF EXISTS memory_fts_idx;
CREATE TABLE 'memory_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO memory_fts_idx VALUES(1,X'',2);
INSERT INTO memory_fts_idx VALUES(2,X'',2);
INSERT INTO memory_fts_idx VALUES(3,X'',2);
INSERT INTO memory_fts_idx VALUES(4,X'',2);
INSERT INTO memory_fts_idx VALUES(5,X'',2);
INSERT INTO memory_fts_idx VALUES(6,X'',2);
INSERT INTO memory_fts_idx VALUES(7,X'',2);
INSERT INTO memory_fts_idx VALUES(8,X'',2);
INSERT INTO memory_fts_idx VALUES(9,X'',2);
INSERT INTO memory_fts_idx VALUES(10,X'',2);

DROP TABLE IF EXISTS memory_history;
CREATE TABLE memory_history (
    number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    reason TEXT NOT NULL,
    before TEXT,                            -- the record as JSON, null for the first entry
    after TEXT NOT NULL
);
INSERT INTO memory_history VALUES(1,'mei','y07k3243r11mg','2026-11-20T12:00:00.000Z','add','asked to remember',NULL,'{"id": "y07k3243r11mg", "user_id": "mei", "timestamp": "2026-11-20T12:00:00.000Z", "create_time": "2026-11-20T12:00:00.000Z", "content": "喜欢喝绿茶", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "绿茶", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:00:00.000Z", "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(2,'mei','x7g5tr9r6a12b','2026-11-20T12:01:00.000Z','add','asked to remember',NULL,'{"id": "x7g5tr9r6a12b", "user_id": "mei", "timestamp": "2026-11-20T12:01:00.000Z", "create_time": "2026-11-20T12:01:00.000Z", "content": "Drinks oolong now", "tags": ["tea"], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "oolong", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:01:00.000Z", "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(3,'mei','y07k3243r11mg','2026-11-20T12:01:00.000Z','supersede','superseded: drink','{"id": "y07k3243r11mg", "user_id": "mei", "timestamp": "2026-11-20T12:00:00.000Z", "create_time": "2026-11-20T12:00:00.000Z", "content": "喜欢喝绿茶", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "绿茶", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:00:00.000Z", "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}','{"id": "y07k3243r11mg", "user_id": "mei", "timestamp": "2026-11-20T12:00:00.000Z", "create_time": "2026-11-20T12:00:00.000Z", "content": "喜欢喝绿茶", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "绿茶", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:00:00.000Z", "valid_to": "2026-11-20T12:01:00.000Z", "superseded_by": "x7g5tr9r6a12b", "document": "archive/2026-11.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(4,'mei','8qqzy0qrvdydx','2026-11-20T12:02:00.000Z','add','asked to remember',NULL,'{"id": "8qqzy0qrvdydx", "user_id": "mei", "timestamp": "2026-11-20T12:02:00.000Z", "create_time": "2026-11-20T12:02:00.000Z", "content": "Lives in Lisbon", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 5, "visibility": "household", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(5,'mei','dnng0s8srqpp8','2026-11-20T12:05:00.000Z','add','asked to remember',NULL,'{"id": "dnng0s8srqpp8", "user_id": "mei", "timestamp": "2026-11-20T12:05:00.000Z", "create_time": "2026-11-20T12:05:00.000Z", "content": "Has a cat", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(6,'mei','dnng0s8srqpp8','2026-11-23T05:57:48.632Z','edit','edited','{"id": "dnng0s8srqpp8", "user_id": "mei", "timestamp": "2026-11-20T12:05:00.000Z", "create_time": "2026-11-20T12:05:00.000Z", "content": "Has a cat", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}','{"id": "dnng0s8srqpp8", "user_id": "mei", "timestamp": "2026-11-20T12:05:00.000Z", "create_time": "2026-11-20T12:05:00.000Z", "content": "Has two cats", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(7,'mei','17q1gcex6f2mz','2026-11-20T12:06:00.000Z','add','written into the daily log',NULL,'{"id": "17q1gcex6f2mz", "user_id": "mei", "timestamp": "2026-11-20T12:06:00.000Z", "create_time": "2026-11-20T12:06:00.000Z", "content": "Called the dentist", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "episodic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "daily/2026-11-20.md", "last_accessed": null, "access_count": 0}');
INSERT INTO memory_history VALUES(8,'tom','6n06r3k1fm26g','2026-11-20T12:14:00.000Z','add','asked to remember',NULL,'{"id": "6n06r3k1fm26g", "user_id": "tom", "timestamp": "2026-11-20T12:14:00.000Z", "create_time": "2026-11-20T12:14:00.000Z", "content": "Plays the cello", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
CREATE INDEX history_memory ON memory_history (user_id, memory_id);

DROP TABLE IF EXISTS memory_index;
CREATE TABLE memory_index (
    row_id INTEGER PRIMARY KEY,
    length INTEGER NOT NULL,                -- tokens
    session INTEGER NOT NULL,               -- session.number, -1 without one
    previous INTEGER NOT NULL,              -- row before it in its session, -1 for the first
    speaker INTEGER NOT NULL,               -- speaker.number, -1 without one
    flags INTEGER NOT NULL                  -- text.cues.TextFlags
);
INSERT INTO memory_index VALUES(8589934592,9,-1,-1,-1,0);
INSERT INTO memory_index VALUES(8589934593,3,-1,-1,-1,0);
INSERT INTO memory_index VALUES(8589934594,3,-1,-1,-1,8);
INSERT INTO memory_index VALUES(8589934596,3,-1,-1,-1,4);
INSERT INTO memory_index VALUES(8589934597,3,-1,-1,-1,0);
INSERT INTO memory_index VALUES(8589934598,6,0,-1,0,4);
INSERT INTO memory_index VALUES(8589934599,1,0,6,1,0);
INSERT INTO memory_index VALUES(8589934600,9,0,7,0,10);
INSERT INTO memory_index VALUES(8589934601,3,0,8,1,0);
INSERT INTO memory_index VALUES(12884901888,3,-1,-1,-1,0);

DROP TABLE IF EXISTS memory_vector;
CREATE TABLE memory_vector (
    row_id INTEGER PRIMARY KEY,
    text_hash INTEGER NOT NULL,             -- of the embedded text: equal texts are embedded once
    vector BLOB NOT NULL
);
INSERT INTO memory_vector VALUES(8589934592,9120253550514897188,X'A50AC33B007F0000000000C0C00000C000000000');
INSERT INTO memory_vector VALUES(8589934593,2363219054729476102,X'0402013C00810000000000000000000000000000');
INSERT INTO memory_vector VALUES(8589934594,-5897741886964129027,X'28F7943B0000000000000000000000817F810000');
INSERT INTO memory_vector VALUES(8589934596,7891648435477353928,X'28F7943B007F00000000000000000081007F0000');
INSERT INTO memory_vector VALUES(8589934597,-4600158966589535981,X'28F7943B00000000000000810081008100000000');
INSERT INTO memory_vector VALUES(8589934598,1207342185307233699,X'42AB523B000000000000008181000000817F817F');
INSERT INTO memory_vector VALUES(8589934599,844616075278132537,X'0402013C007F0000000000000000000000000000');
INSERT INTO memory_vector VALUES(8589934600,-3509111278710720590,X'BBC6663B000000008100007F7F00007F00810000');
INSERT INTO memory_vector VALUES(8589934601,3407631506858352956,X'D771B63B00007F00000000000000000000007F00');
INSERT INTO memory_vector VALUES(12884901888,8132853526999023628,X'28F7943B00000000000081810000000000007F00');
CREATE INDEX vector_text ON memory_vector (text_hash);

DROP TABLE IF EXISTS memory_vector_next;
CREATE TABLE memory_vector_next (
    row_id INTEGER PRIMARY KEY,
    text_hash INTEGER NOT NULL,
    vector BLOB NOT NULL
);

DROP TABLE IF EXISTS owner;
CREATE TABLE owner (
    number INTEGER PRIMARY KEY,             -- the upper half of the owner's row ids
    user_id TEXT NOT NULL UNIQUE,
    next_row INTEGER NOT NULL DEFAULT 0,    -- the lower half that the next row gets
    packed_rows INTEGER NOT NULL DEFAULT 0, -- rows below this stand in the packed index
    version INTEGER NOT NULL DEFAULT 0,     -- counts every change of a row: what was read is stale
    packed_version INTEGER NOT NULL DEFAULT 0  -- the same for facts and codes of packed rows
);
INSERT INTO owner VALUES(1,'default',0,0,0,0);
INSERT INTO owner VALUES(2,'mei',10,8,14,2);
INSERT INTO owner VALUES(3,'tom',1,0,2,0);

DROP TABLE IF EXISTS packed_code;
CREATE TABLE packed_code (
    owner INTEGER NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,                     -- sign bits of the vectors, one row after the other
    PRIMARY KEY (owner, block)
);
INSERT INTO packed_code VALUES(2,0,X'40000000000000000000000000000000000800000000000000000000000000004004000000000000000000000000000000050000000000004000000000000000');

DROP TABLE IF EXISTS packed_posting;
CREATE TABLE packed_posting (
    owner INTEGER NOT NULL,
    term TEXT NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,                     -- uint32 little endian: row in block << 16 | count
    PRIMARY KEY (owner, term, block)
) WITHOUT ROWID;
INSERT INTO packed_posting VALUES(2,'at',0,X'01000600');
INSERT INTO packed_posting VALUES(2,'call',0,X'01000500');
INSERT INTO packed_posting VALUES(2,'cat',0,X'01000400');
INSERT INTO packed_posting VALUES(2,'dentist',0,X'01000500');
INSERT INTO packed_posting VALUES(2,'dog',0,X'01000600');
INSERT INTO packed_posting VALUES(2,'drink',0,X'01000100');
INSERT INTO packed_posting VALUES(2,'has',0,X'01000400');
INSERT INTO packed_posting VALUES(2,'i',0,X'01000600');
INSERT INTO packed_posting VALUES(2,'in',0,X'01000200');
INSERT INTO packed_posting VALUES(2,'life',0,X'01000200');
INSERT INTO packed_posting VALUES(2,'lisbon',0,X'01000200');
INSERT INTO packed_posting VALUES(2,'note',0,X'01000700');
INSERT INTO packed_posting VALUES(2,'now',0,X'01000100');
INSERT INTO packed_posting VALUES(2,'oolong',0,X'01000100');
INSERT INTO packed_posting VALUES(2,'seven',0,X'01000600');
INSERT INTO packed_posting VALUES(2,'the',0,X'0100050001000600');
INSERT INTO packed_posting VALUES(2,'two',0,X'01000400');
INSERT INTO packed_posting VALUES(2,'walk',0,X'01000600');
INSERT INTO packed_posting VALUES(2,'喜',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'喜欢',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'喝',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'喝绿',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'欢',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'欢喝',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'绿',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'绿茶',0,X'01000000');
INSERT INTO packed_posting VALUES(2,'茶',0,X'01000000');

DROP TABLE IF EXISTS packed_row;
CREATE TABLE packed_row (
    owner INTEGER NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,                     -- storage.values.ROW_DTYPE, one entry a row
    PRIMARY KEY (owner, block)
);
INSERT INTO packed_row VALUES(2,0,X'0900FFFFFFFFFFFFFFFFFFFF000700EAD3F8A10100000300FFFFFFFFFFFFFFFFFFFF000360D4D4F8A10100000300FFFFFFFFFFFFFFFFFFFF080BC0BED5F8A10100000000FFFFFFFFFFFFFFFFFFFF000000000000000000000300FFFFFFFFFFFFFFFFFFFF0403E07DD8F8A10100000300FFFFFFFFFFFFFFFFFFFF00034068D9F8A1010000060000000000FFFFFFFF00000401A052DAF8A10100000100000000000600000001000001A052DAF8A1010000');

DROP TABLE IF EXISTS receipt;
CREATE TABLE receipt (
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    session_id TEXT,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL,                                 -- JSON
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX receipt_at ON receipt (created_at);

DROP TABLE IF EXISTS role_rule;
CREATE TABLE role_rule (
    role TEXT NOT NULL,
    effect TEXT NOT NULL CHECK (effect IN ('allow', 'deny')),
    tag TEXT NOT NULL,                      -- '*': every memory
    PRIMARY KEY (role, effect, tag)
) WITHOUT ROWID;
INSERT INTO role_rule VALUES('agent','allow','*');
INSERT INTO role_rule VALUES('agent','deny','finance');
INSERT INTO role_rule VALUES('agent','deny','财务');
INSERT INTO role_rule VALUES('child','allow','*');
INSERT INTO role_rule VALUES('child','deny','finance');
INSERT INTO role_rule VALUES('child','deny','parent');
INSERT INTO role_rule VALUES('child','deny','work');
INSERT INTO role_rule VALUES('child','deny','家长');
INSERT INTO role_rule VALUES('child','deny','工作');
INSERT INTO role_rule VALUES('child','deny','财务');
INSERT INTO role_rule VALUES('guest','allow','guest');
INSERT INTO role_rule VALUES('guest','allow','客人');
INSERT INTO role_rule VALUES('member','allow','*');
INSERT INTO role_rule VALUES('parent','allow','*');

DROP TABLE IF EXISTS session;
CREATE TABLE session (
    owner INTEGER NOT NULL,
    number INTEGER NOT NULL,                -- counts up within the owner
    session_id TEXT NOT NULL,
    last_row INTEGER NOT NULL,              -- its newest row, -1 before the first
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL, title TEXT, ended_at TEXT,
    PRIMARY KEY (owner, session_id)
) WITHOUT ROWID;
INSERT INTO session VALUES(2,0,'s1',9,'2026-11-20T12:07:00.000Z','2026-11-20T12:08:00.000Z','Dog walks',NULL);
CREATE INDEX session_id ON session (session_id);

DROP TABLE IF EXISTS session_summary;
CREATE TABLE session_summary (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    session_id TEXT,
    title TEXT,
    snippet TEXT,
    created_at TEXT NOT NULL
, updated_at TEXT, message_count INTEGER NOT NULL DEFAULT 0, made_by TEXT NOT NULL DEFAULT 'rules');
CREATE INDEX summary_recent ON session_summary (user_id, updated_at);
CREATE INDEX summary_session ON session_summary (user_id, session_id);

DROP TABLE IF EXISTS setting;
CREATE TABLE setting (
    name TEXT PRIMARY KEY,                  -- memory.rag_top_n
    value TEXT NOT NULL                     -- JSON
) WITHOUT ROWID;
INSERT INTO setting VALUES('memory.rag_top_n','7');

DROP TABLE IF EXISTS setting_change;
CREATE TABLE setting_change (version INTEGER NOT NULL);
INSERT INTO setting_change VALUES(1);

DROP TABLE IF EXISTS sharing;
CREATE TABLE sharing (version INTEGER NOT NULL);
INSERT INTO sharing VALUES(4);

DROP TABLE IF EXISTS speaker;
CREATE TABLE speaker (
    owner INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,                     -- as shown
    terms TEXT NOT NULL,                    -- its index tokens, space separated
    PRIMARY KEY (owner, name)
) WITHOUT ROWID;
INSERT INTO speaker VALUES(2,1,'assistant','assist');
INSERT INTO speaker VALUES(2,0,'user','user');

DROP TABLE IF EXISTS tombstone;
CREATE TABLE tombstone (
    user_id TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (user_id, content_hash)
) WITHOUT ROWID;
INSERT INTO tombstone VALUES('mei',X'2ED97B1783C689A7A31A1B48AB4F1F71','2026-11-20T12:04:00.000Z');

DROP TABLE IF EXISTS user_profile;
CREATE TABLE user_profile (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    content TEXT,
    updated_at TEXT NOT NULL
, document TEXT NOT NULL DEFAULT 'USER.md', etag TEXT NOT NULL DEFAULT '');
INSERT INTO user_profile VALUES(1,'mei','Prefers short answers.
','2026-11-23T05:57:48.721Z','USER.md','b9222ae357120af1d8c83927948ddc11');
CREATE INDEX profile_user ON user_profile (user_id, document);

DROP TABLE IF EXISTS vector_queue;
CREATE TABLE vector_queue (row_id INTEGER PRIMARY KEY);

DROP TABLE IF EXISTS working_memory;
CREATE TABLE working_memory (
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    current_topic TEXT,
    context_variables TEXT NOT NULL DEFAULT '{}',
    turn_count INTEGER NOT NULL DEFAULT 1,
    last_emotion TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL, open_message TEXT, analysed INTEGER NOT NULL DEFAULT 0, pending INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, session_id)
) WITHOUT ROWID;
INSERT INTO working_memory VALUES('mei','s1','dogs','{"date": "明天"}',2,'neutral','2026-11-20T12:07:00.000Z','2026-11-20T12:09:00.000Z',NULL,3,0);

DELETE FROM main.sqlite_sequence WHERE name='conversation';
INSERT INTO main.sqlite_sequence VALUES ('conversation', 4);
DELETE FROM main.sqlite_sequence WHERE name='memory_code_chunks';
INSERT INTO main.sqlite_sequence VALUES ('memory_code_chunks', 2);
DELETE FROM main.sqlite_sequence WHERE name='memory_code_rowids';
INSERT INTO main.sqlite_sequence VALUES ('memory_code_rowids', 12884901888);

pragma user_version=10;

COMMIT TRANSACTION;

PRAGMA writable_schema=OFF;

BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
PRAGMA user_version=10;
