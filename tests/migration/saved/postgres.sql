SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
CREATE FUNCTION public.chatmem_circles(viewer text) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    acting text := current_setting('chatmem.acting_for', true);
    circles text[];
BEGIN
    PERFORM set_config('chatmem.acting_for', '*', true);
    SELECT coalesce(array_agg(circle_id), '{}') INTO circles FROM membership WHERE user_id = viewer;
    PERFORM set_config('chatmem.acting_for', acting, true);
    RETURN circles;
END $$;
CREATE FUNCTION public.chatmem_make_codes(bits integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    SET client_min_messages TO 'error'
    AS $$
DECLARE
    place text;
    parts integer := (SELECT count(*) FROM pg_inherits WHERE inhparent = 'owner'::regclass);
BEGIN
    FOREACH place IN ARRAY ARRAY['memory_code', 'memory_near'] LOOP
        EXECUTE format('DROP TABLE IF EXISTS %I', place);
        EXECUTE format(
            'CREATE TABLE %I (user_id text COLLATE "C" NOT NULL, row_id bigint NOT NULL, '
            'code bit(%s) NOT NULL, PRIMARY KEY (user_id, row_id)) %s', place, bits,
            CASE WHEN parts > 0 THEN 'PARTITION BY HASH (user_id)' ELSE '' END
        );
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                place || '_' || part, place, parts, part
            );
        END LOOP;
        PERFORM chatmem_wall(place);
    END LOOP;
    CREATE INDEX memory_near_code ON memory_near USING hnsw (code bit_hamming_ops);
END $$;
CREATE FUNCTION public.chatmem_rules(viewer text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    acting text := current_setting('chatmem.acting_for', true);
    kept text := current_setting('chatmem.rules', true);
    whose text := length(viewer) || ' ' || viewer || ' ';
    rules jsonb;
BEGIN
    IF starts_with(kept, whose) THEN RETURN substr(kept, length(whose) + 1); END IF;
    PERFORM set_config('chatmem.acting_for', '*', true);
    SELECT coalesce(jsonb_object_agg(meant.user_id, meant.rules), '{}') INTO rules FROM (
        SELECT owning.user_id, jsonb_object_agg(
            CASE r.effect WHEN 'allow' THEN 'allow ' || shared.kind ELSE 'deny' END || ' ' || r.tag, 1
        ) AS rules
        FROM membership viewing
        JOIN membership owning ON owning.circle_id = viewing.circle_id
        JOIN circle shared ON shared.circle_id = viewing.circle_id
        JOIN role_rule r ON r.role = viewing.role
        WHERE viewing.user_id = viewer
        GROUP BY owning.user_id
    ) meant;
    PERFORM set_config('chatmem.acting_for', acting, true);
    IF current_setting('transaction_read_only')::boolean
        AND current_setting('transaction_isolation') <> 'read committed'
    THEN PERFORM set_config('chatmem.rules', whose || rules, true); END IF;
    RETURN rules;
END $$;
CREATE FUNCTION public.chatmem_sees(rules jsonb, owner text, visibility text, tags text[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
    meant jsonb := rules -> owner;
    seen boolean := visibility = 'public';
    tag text;
BEGIN
    IF visibility NOT IN ('household', 'group', 'public') THEN RETURN false; END IF;
    IF meant IS NULL THEN RETURN seen; END IF;
    IF meant ? 'deny *' THEN RETURN false; END IF;
    seen := seen OR meant ? ('allow ' || visibility || ' *');
    FOREACH tag IN ARRAY tags LOOP
        IF meant ? ('deny ' || tag) THEN RETURN false; END IF;
        seen := seen OR meant ? ('allow ' || visibility || ' ' || tag);
    END LOOP;
    RETURN seen;
END $$;
CREATE FUNCTION public.chatmem_switch_vectors() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
BEGIN
    ALTER TABLE memory_vector RENAME TO memory_vector_before;
    ALTER TABLE memory_vector_next RENAME TO memory_vector;
    ALTER TABLE memory_vector_before RENAME TO memory_vector_next;
    TRUNCATE memory_vector_next, packed_code;
END $$;
CREATE FUNCTION public.chatmem_user() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN starts_with(current_setting('chatmem.acting_for', true), '=')
        THEN substr(current_setting('chatmem.acting_for', true), 2) END
$$;
CREATE FUNCTION public.chatmem_wall(place text, seen text DEFAULT ''::text, counted text DEFAULT ''::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    SET client_min_messages TO 'error'
    AS $$
DECLARE
    own text := 'user_id = (SELECT chatmem_user()) OR chatmem_whole_store()';
    policy name;
    part regclass;
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', place);
    FOR policy IN SELECT polname FROM pg_policy WHERE polrelid = place::regclass LOOP
        EXECUTE format('DROP POLICY %I ON %I', policy, place);
    END LOOP;
    IF seen = '' THEN
        EXECUTE format('CREATE POLICY own ON %I USING (%s)', place, own);
    ELSE
        EXECUTE format('CREATE POLICY seen ON %I FOR SELECT USING (%s OR %s)', place, own, seen);
        IF counted <> '' THEN own := own || ' OR ' || counted; END IF;
        EXECUTE format('CREATE POLICY added ON %I FOR INSERT WITH CHECK (%s)', place, own);
        EXECUTE format('CREATE POLICY changed ON %I FOR UPDATE USING (%s)', place, own);
        EXECUTE format('CREATE POLICY deleted ON %I FOR DELETE USING (%s)', place,
            'user_id = (SELECT chatmem_user()) OR chatmem_whole_store()');
    END IF;
    -- Partitions are read through their table, and nobody has a reason to name one.
    FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = place::regclass LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
    END LOOP;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'chatmem_server') THEN
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO chatmem_server', place);
    END IF;
END $$;
CREATE FUNCTION public.chatmem_whole_store() RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(current_setting('chatmem.acting_for', true) = '*', false)
$$;
CREATE FUNCTION public.tell_of_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
    PERFORM pg_notify('chatmem_document', coalesce(NEW.user_id, OLD.user_id)) ; RETURN NULL ; END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.api_key (
    id text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    is_admin integer DEFAULT 0 NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.api_key FORCE ROW LEVEL SECURITY;
CREATE TABLE public.atomic_memory (
    row_id bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    "timestamp" text NOT NULL COLLATE pg_catalog."C",
    create_time text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL,
    tags text DEFAULT '[]'::text NOT NULL,
    tag_forms text[] DEFAULT '{}'::text[] NOT NULL,
    session_id text COLLATE pg_catalog."C",
    app_type text,
    role text COLLATE pg_catalog."C",
    memory_type text DEFAULT 'short_term'::text NOT NULL,
    kind text,
    category text,
    key text COLLATE pg_catalog."C",
    value text DEFAULT 'null'::text NOT NULL,
    confidence double precision DEFAULT 0.9 NOT NULL,
    source text DEFAULT 'user_stated'::text NOT NULL,
    importance integer DEFAULT 3 NOT NULL,
    visibility text DEFAULT 'private'::text NOT NULL,
    valid_from text COLLATE pg_catalog."C",
    valid_to text COLLATE pg_catalog."C",
    superseded_by text COLLATE pg_catalog."C",
    document text COLLATE pg_catalog."C",
    start_hash bigint GENERATED ALWAYS AS (hashtextextended(substr(content, 1, 50), (0)::bigint)) STORED,
    CONSTRAINT atomic_memory_category_check CHECK ((category = ANY (ARRAY['preference'::text, 'fact'::text, 'pattern'::text]))),
    CONSTRAINT atomic_memory_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT atomic_memory_importance_check CHECK (((importance >= 1) AND (importance <= 5))),
    CONSTRAINT atomic_memory_kind_check CHECK ((kind = ANY (ARRAY['semantic'::text, 'episodic'::text]))),
    CONSTRAINT atomic_memory_memory_type_check CHECK ((memory_type = ANY (ARRAY['short_term'::text, 'long_term'::text]))),
    CONSTRAINT atomic_memory_source_check CHECK ((source = ANY (ARRAY['user_stated'::text, 'inferred'::text, 'system'::text]))),
    CONSTRAINT atomic_memory_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'household'::text, 'group'::text, 'public'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY public.atomic_memory ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY public.atomic_memory ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY public.atomic_memory ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE ONLY public.atomic_memory FORCE ROW LEVEL SECURITY;
CREATE TABLE public.circle (
    circle_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    name text NOT NULL,
    head text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT circle_kind_check CHECK ((kind = ANY (ARRAY['household'::text, 'group'::text])))
);
ALTER TABLE ONLY public.circle FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.conversation_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.conversation (
    user_id text NOT NULL COLLATE pg_catalog."C",
    id bigint DEFAULT nextval('public.conversation_id'::regclass) NOT NULL,
    session_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL,
    create_time text NOT NULL COLLATE pg_catalog."C",
    is_collected integer DEFAULT 0 NOT NULL,
    app_type text,
    speaker text COLLATE pg_catalog."C",
    source_id text COLLATE pg_catalog."C",
    memory_id text COLLATE pg_catalog."C"
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY public.conversation ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY public.conversation FORCE ROW LEVEL SECURITY;
CREATE TABLE public.document (
    user_id text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    etag text NOT NULL,
    modified_ns bigint NOT NULL,
    changed_ns bigint NOT NULL,
    size bigint NOT NULL,
    inode bigint NOT NULL,
    held text
);
ALTER TABLE ONLY public.document FORCE ROW LEVEL SECURITY;
CREATE TABLE public.document_text (
    user_id text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL,
    etag text NOT NULL,
    version bigint NOT NULL
);
ALTER TABLE ONLY public.document_text ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY public.document_text FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.document_version
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.extraction (
    user_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    extracted_to bigint DEFAULT 0 NOT NULL,
    extracted_at text COLLATE pg_catalog."C",
    flush text DEFAULT '{}'::text NOT NULL
);
ALTER TABLE ONLY public.extraction FORCE ROW LEVEL SECURITY;
CREATE TABLE public.handled_event (
    user_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.handled_event FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.history_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.idempotent_answer (
    user_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    request text NOT NULL,
    status integer,
    body text,
    created_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.idempotent_answer ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY public.idempotent_answer FORCE ROW LEVEL SECURITY;
CREATE TABLE public.index_identity (
    what text NOT NULL,
    identity text NOT NULL
);
CREATE TABLE public.invitation (
    user_id text NOT NULL COLLATE pg_catalog."C",
    circle_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    invited_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.invitation FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.job_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.job (
    user_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    number bigint DEFAULT nextval('public.job_number'::regclass) NOT NULL,
    due_at text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    asked integer DEFAULT 1 NOT NULL,
    error text,
    leased_by text COLLATE pg_catalog."C",
    leased_until text COLLATE pg_catalog."C",
    given_up_at text COLLATE pg_catalog."C"
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY public.job FORCE ROW LEVEL SECURITY;
CREATE TABLE public.membership (
    user_id text NOT NULL COLLATE pg_catalog."C",
    circle_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    joined_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.membership FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_access (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    last_accessed text NOT NULL COLLATE pg_catalog."C",
    access_count integer NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.memory_access FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_code (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    code bit(64) NOT NULL
);
ALTER TABLE ONLY public.memory_code FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_history (
    user_id text NOT NULL COLLATE pg_catalog."C",
    memory_id text NOT NULL COLLATE pg_catalog."C",
    number bigint DEFAULT nextval('public.history_number'::regclass) NOT NULL,
    at text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL,
    reason text NOT NULL,
    before text,
    after text NOT NULL
);
ALTER TABLE ONLY public.memory_history ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE ONLY public.memory_history ALTER COLUMN after SET STATISTICS 0;
ALTER TABLE ONLY public.memory_history FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_index (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    length integer NOT NULL,
    session integer NOT NULL,
    previous integer NOT NULL,
    speaker integer NOT NULL,
    flags integer NOT NULL,
    tokens text NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY public.memory_index ALTER COLUMN tokens SET STATISTICS 0;
ALTER TABLE ONLY public.memory_index FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_near (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    code bit(64) NOT NULL
);
ALTER TABLE ONLY public.memory_near FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_vector (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    text_hash bigint NOT NULL,
    vector bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY public.memory_vector FORCE ROW LEVEL SECURITY;
CREATE TABLE public.memory_vector_next (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    text_hash bigint NOT NULL,
    vector bytea NOT NULL
);
ALTER TABLE ONLY public.memory_vector_next FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.owner_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.owner (
    user_id text NOT NULL COLLATE pg_catalog."C",
    number bigint DEFAULT nextval('public.owner_number'::regclass) NOT NULL,
    next_row integer DEFAULT 0 NOT NULL,
    packed_rows integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    packed_version bigint DEFAULT 0 NOT NULL,
    unpacked integer GENERATED ALWAYS AS ((next_row - packed_rows)) STORED
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.owner FORCE ROW LEVEL SECURITY;
CREATE TABLE public.packed_code (
    user_id text NOT NULL COLLATE pg_catalog."C",
    block integer NOT NULL,
    data bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05', toast.autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE ONLY public.packed_code ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.packed_code FORCE ROW LEVEL SECURITY;
CREATE TABLE public.packed_posting (
    user_id text NOT NULL COLLATE pg_catalog."C",
    term text NOT NULL COLLATE pg_catalog."C",
    block integer NOT NULL,
    data bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05', toast.autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.packed_posting ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE ONLY public.packed_posting ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.packed_posting FORCE ROW LEVEL SECURITY;
CREATE TABLE public.packed_row (
    user_id text NOT NULL COLLATE pg_catalog."C",
    block integer NOT NULL,
    data bytea NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05', toast.autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE ONLY public.packed_row ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.packed_row FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.profile_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE SEQUENCE public.queue_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.receipt (
    user_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL
);
ALTER TABLE ONLY public.receipt FORCE ROW LEVEL SECURITY;
CREATE TABLE public.role_rule (
    role text NOT NULL COLLATE pg_catalog."C",
    effect text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT role_rule_effect_check CHECK ((effect = ANY (ARRAY['allow'::text, 'deny'::text])))
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.session (
    user_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    last_row integer NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    title text,
    ended_at text COLLATE pg_catalog."C"
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.session ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY public.session FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.summary_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.session_summary (
    user_id text NOT NULL COLLATE pg_catalog."C",
    id bigint DEFAULT nextval('public.summary_id'::regclass) NOT NULL,
    session_id text COLLATE pg_catalog."C",
    title text,
    snippet text,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text COLLATE pg_catalog."C",
    message_count integer DEFAULT 0 NOT NULL,
    made_by text DEFAULT 'rules'::text NOT NULL
);
ALTER TABLE ONLY public.session_summary ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE ONLY public.session_summary ALTER COLUMN snippet SET STATISTICS 0;
ALTER TABLE ONLY public.session_summary FORCE ROW LEVEL SECURITY;
CREATE TABLE public.setting (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);
CREATE TABLE public.setting_change (
    version bigint NOT NULL
);
CREATE TABLE public.sharing (
    version bigint NOT NULL
);
CREATE TABLE public.speaker (
    user_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    terms text NOT NULL
);
ALTER TABLE ONLY public.speaker FORCE ROW LEVEL SECURITY;
CREATE TABLE public.tombstone (
    user_id text NOT NULL COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.tombstone FORCE ROW LEVEL SECURITY;
CREATE TABLE public.user_profile (
    user_id text NOT NULL COLLATE pg_catalog."C",
    document text DEFAULT 'USER.md'::text NOT NULL COLLATE pg_catalog."C",
    id bigint DEFAULT nextval('public.profile_id'::regclass) NOT NULL,
    content text,
    etag text DEFAULT ''::text NOT NULL,
    updated_at text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.user_profile ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY public.user_profile FORCE ROW LEVEL SECURITY;
CREATE TABLE public.vector_queue (
    user_id text NOT NULL COLLATE pg_catalog."C",
    row_id bigint NOT NULL,
    number bigint DEFAULT nextval('public.queue_number'::regclass) NOT NULL,
    taken_by text,
    taken_until timestamp with time zone
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY public.vector_queue FORCE ROW LEVEL SECURITY;
CREATE TABLE public.working_memory (
    user_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    current_topic text,
    context_variables text DEFAULT '{}'::text NOT NULL,
    turn_count integer DEFAULT 1 NOT NULL,
    last_emotion text,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    open_message text,
    analysed bigint DEFAULT 0 NOT NULL,
    pending integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.working_memory ALTER COLUMN current_topic SET STATISTICS 0;
ALTER TABLE ONLY public.working_memory ALTER COLUMN context_variables SET STATISTICS 0;
ALTER TABLE ONLY public.working_memory FORCE ROW LEVEL SECURITY;
INSERT INTO public.api_key VALUES ('c4ce358d', '2bc0d8867bf6f421c7c82b591728b547cc47a9929c969de064025fa5418159c9', 'mei', 0, '2026-11-23T05:57:58.344Z', NULL);
INSERT INTO public.atomic_memory VALUES (8589934593, 'tb2xq1b7p49n5', 'mei', '2026-11-20T12:01:00.000Z', '2026-11-20T12:01:00.000Z', 'Drinks oolong now', '["tea"]', '{tea}', NULL, NULL, NULL, 'long_term', 'semantic', 'preference', 'drink', '"oolong"', 0.9, 'user_stated', 3, 'private', '2026-11-20T12:01:00.000Z', NULL, NULL, 'MEMORY.md', DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934592, 'ekvzpccv63pxn', 'mei', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z', '喜欢喝绿茶', '[]', '{}', NULL, NULL, NULL, 'long_term', 'semantic', 'preference', 'drink', '"绿茶"', 0.9, 'user_stated', 3, 'private', '2026-11-20T12:00:00.000Z', '2026-11-20T12:01:00.000Z', 'tb2xq1b7p49n5', 'archive/2026-11.md', DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934594, 'rfhc74sc2bteb', 'mei', '2026-11-20T12:02:00.000Z', '2026-11-20T12:02:00.000Z', 'Lives in Lisbon', '[]', '{}', NULL, NULL, NULL, 'long_term', 'semantic', 'fact', NULL, 'null', 0.9, 'user_stated', 5, 'household', NULL, NULL, NULL, 'MEMORY.md', DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934596, 'v3g00ckfb4q9f', 'mei', '2026-11-20T12:05:00.000Z', '2026-11-20T12:05:00.000Z', 'Has two cats', '[]', '{}', NULL, NULL, NULL, 'long_term', 'semantic', 'fact', NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, 'MEMORY.md', DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934597, 'zne4cwfbayq0n', 'mei', '2026-11-20T12:06:00.000Z', '2026-11-20T12:06:00.000Z', 'Called the dentist', '[]', '{}', NULL, NULL, NULL, 'long_term', 'episodic', 'fact', NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, 'daily/2026-11-20.md', DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934598, 'b97hy8x1khfz7', 'mei', '2026-11-20T12:07:00.000Z', '2026-11-20T12:07:00.000Z', 'I walk the dog at seven.', '[]', '{}', 's1', 'chat', 'user', 'short_term', NULL, NULL, NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934599, 'n4qhg7faapj3s', 'mei', '2026-11-20T12:07:00.000Z', '2026-11-20T12:07:00.000Z', 'Noted.', '[]', '{}', 's1', 'chat', 'assistant', 'short_term', NULL, NULL, NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934600, 'yepr7g9sxwg8g', 'mei', '2026-11-20T12:08:00.000Z', '2026-11-20T12:08:00.000Z', '明天去海边。', '[]', '{}', 's1', 'chat', 'user', 'short_term', NULL, NULL, NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.atomic_memory VALUES (8589934601, 't2h161d6g8zeh', 'mei', '2026-11-20T12:08:00.000Z', '2026-11-20T12:08:00.000Z', '好的。', '[]', '{}', 's1', 'chat', 'assistant', 'short_term', NULL, NULL, NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.atomic_memory VALUES (12884901888, '7bfvj2hp5x51h', 'tom', '2026-11-20T12:14:00.000Z', '2026-11-20T12:14:00.000Z', 'Plays the cello', '[]', '{}', NULL, NULL, NULL, 'long_term', 'semantic', 'fact', NULL, 'null', 0.9, 'user_stated', 3, 'private', NULL, NULL, NULL, 'MEMORY.md', DEFAULT);
INSERT INTO public.circle VALUES ('jbt243g0kpga1', 'household', 'Home', 'mei', '2026-11-20T12:11:00.000Z');
INSERT INTO public.conversation VALUES ('mei', 1, 's1', 'user', 'I walk the dog at seven.', '2026-11-20T12:07:00.000Z', 0, 'chat', NULL, NULL, 'b97hy8x1khfz7');
INSERT INTO public.conversation VALUES ('mei', 2, 's1', 'assistant', 'Noted.', '2026-11-20T12:07:00.000Z', 0, 'chat', NULL, NULL, 'n4qhg7faapj3s');
INSERT INTO public.conversation VALUES ('mei', 3, 's1', 'user', '明天去海边。', '2026-11-20T12:08:00.000Z', 0, 'chat', NULL, NULL, 'yepr7g9sxwg8g');
INSERT INTO public.conversation VALUES ('mei', 4, 's1', 'assistant', '好的。', '2026-11-20T12:08:00.000Z', 0, 'chat', NULL, NULL, 't2h161d6g8zeh');
INSERT INTO public.document VALUES ('mei', 'archive/2026-11.md', 'd1bac8b0aff044bab3238c8456d98d2a', 3, 0, 197, 0, NULL);
INSERT INTO public.document VALUES ('mei', 'MEMORY.md', '735aaba1751194cb44162e55403eb5f7', 9, 0, 352, 0, NULL);
INSERT INTO public.document VALUES ('mei', 'daily/2026-11-20.md', 'b05bf3e04f9a82e51cea599cb4a6e5e3', 10, 0, 77, 0, NULL);
INSERT INTO public.document VALUES ('tom', 'MEMORY.md', '6dd469b863a713911a324645364c72b2', 13, 0, 117, 0, NULL);
INSERT INTO public.document_text VALUES ('mei', 'archive/2026-11.md', '## Preferences
- 喜欢喝绿茶 <!-- id=ekvzpccv63pxn at=2026-11-20T12:00:00Z key=drink value=绿茶 valid_from=2026-11-20T12:00:00Z valid_to=2026-11-20T12:01:00Z superseded_by=tb2xq1b7p49n5 -->
', 'd1bac8b0aff044bab3238c8456d98d2a', 3);
INSERT INTO public.document_text VALUES ('mei', 'MEMORY.md', '# Memory
## Preferences
- Drinks oolong now <!-- id=tb2xq1b7p49n5 at=2026-11-20T12:01:00Z key=drink value=oolong tags=tea valid_from=2026-11-20T12:01:00Z -->
## Facts
- Lives in Lisbon <!-- id=rfhc74sc2bteb at=2026-11-20T12:02:00Z importance=5 visibility=household -->
- Has two cats <!-- id=v3g00ckfb4q9f at=2026-11-20T12:05:00Z -->
## Patterns
', '735aaba1751194cb44162e55403eb5f7', 9);
INSERT INTO public.document_text VALUES ('mei', 'daily/2026-11-20.md', '- 12:06 Called the dentist <!-- id=zne4cwfbayq0n at=2026-11-20T12:06:00Z -->
', 'b05bf3e04f9a82e51cea599cb4a6e5e3', 10);
INSERT INTO public.document_text VALUES ('mei', 'USER.md', 'Prefers short answers.
', 'b9222ae357120af1d8c83927948ddc11', 11);
INSERT INTO public.document_text VALUES ('tom', 'MEMORY.md', '# Memory
## Preferences
## Facts
- Plays the cello <!-- id=7bfvj2hp5x51h at=2026-11-20T12:14:00Z -->
## Patterns
', '6dd469b863a713911a324645364c72b2', 13);
INSERT INTO public.index_identity VALUES ('generation', '0');
INSERT INTO public.index_identity VALUES ('embedder', 'fake:1:16');
INSERT INTO public.index_identity VALUES ('embedder_dimension', '16');
INSERT INTO public.job VALUES ('mei', 's1', 'summary', 3, '2026-11-20T12:07:00.000Z', 0, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.job VALUES ('mei', 's1', 'analysis', 1, '2026-11-20T12:07:00.000Z', 0, 2, NULL, NULL, NULL, NULL);
INSERT INTO public.job VALUES ('mei', 's1', 'extraction', 2, '2026-11-20T12:07:00.000Z', 0, 2, NULL, NULL, NULL, NULL);
INSERT INTO public.job VALUES ('mei', 's1', 'profile', 6, '2026-11-20T12:08:00.000Z', 0, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.membership VALUES ('mei', 'jbt243g0kpga1', 'parent', '2026-11-20T12:11:00.000Z');
INSERT INTO public.membership VALUES ('tom', 'jbt243g0kpga1', 'parent', '2026-11-20T12:13:00.000Z');
INSERT INTO public.memory_access VALUES ('mei', 8589934592, '2026-11-20T12:10:00.000Z', 1);
INSERT INTO public.memory_code VALUES ('mei', 8589934600, B'0000000110010000000000000000000000000000000000000000000000000000');
INSERT INTO public.memory_code VALUES ('mei', 8589934601, B'0010000000000010000000000000000000000000000000000000000000000000');
INSERT INTO public.memory_code VALUES ('tom', 12884901888, B'0000000000000010000000000000000000000000000000000000000000000000');
INSERT INTO public.memory_history VALUES ('mei', 'ekvzpccv63pxn', 1, '2026-11-20T12:00:00.000Z', 'add', 'asked to remember', NULL, '{"id": "ekvzpccv63pxn", "user_id": "mei", "timestamp": "2026-11-20T12:00:00.000Z", "create_time": "2026-11-20T12:00:00.000Z", "content": "喜欢喝绿茶", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "绿茶", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:00:00.000Z", "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('mei', 'tb2xq1b7p49n5', 2, '2026-11-20T12:01:00.000Z', 'add', 'asked to remember', NULL, '{"id": "tb2xq1b7p49n5", "user_id": "mei", "timestamp": "2026-11-20T12:01:00.000Z", "create_time": "2026-11-20T12:01:00.000Z", "content": "Drinks oolong now", "tags": ["tea"], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "oolong", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:01:00.000Z", "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('mei', 'ekvzpccv63pxn', 3, '2026-11-20T12:01:00.000Z', 'supersede', 'superseded: drink', '{"id": "ekvzpccv63pxn", "user_id": "mei", "timestamp": "2026-11-20T12:00:00.000Z", "create_time": "2026-11-20T12:00:00.000Z", "content": "喜欢喝绿茶", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "绿茶", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:00:00.000Z", "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}', '{"id": "ekvzpccv63pxn", "user_id": "mei", "timestamp": "2026-11-20T12:00:00.000Z", "create_time": "2026-11-20T12:00:00.000Z", "content": "喜欢喝绿茶", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "preference", "key": "drink", "value": "绿茶", "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": "2026-11-20T12:00:00.000Z", "valid_to": "2026-11-20T12:01:00.000Z", "superseded_by": "tb2xq1b7p49n5", "document": "archive/2026-11.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('mei', 'rfhc74sc2bteb', 4, '2026-11-20T12:02:00.000Z', 'add', 'asked to remember', NULL, '{"id": "rfhc74sc2bteb", "user_id": "mei", "timestamp": "2026-11-20T12:02:00.000Z", "create_time": "2026-11-20T12:02:00.000Z", "content": "Lives in Lisbon", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 5, "visibility": "household", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('mei', 'v3g00ckfb4q9f', 6, '2026-11-20T12:05:00.000Z', 'add', 'asked to remember', NULL, '{"id": "v3g00ckfb4q9f", "user_id": "mei", "timestamp": "2026-11-20T12:05:00.000Z", "create_time": "2026-11-20T12:05:00.000Z", "content": "Has a cat", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('mei', 'v3g00ckfb4q9f', 7, '2026-11-23T05:57:59.160Z', 'edit', 'edited', '{"id": "v3g00ckfb4q9f", "user_id": "mei", "timestamp": "2026-11-20T12:05:00.000Z", "create_time": "2026-11-20T12:05:00.000Z", "content": "Has a cat", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}', '{"id": "v3g00ckfb4q9f", "user_id": "mei", "timestamp": "2026-11-20T12:05:00.000Z", "create_time": "2026-11-20T12:05:00.000Z", "content": "Has two cats", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('mei', 'zne4cwfbayq0n', 8, '2026-11-20T12:06:00.000Z', 'add', 'written into the daily log', NULL, '{"id": "zne4cwfbayq0n", "user_id": "mei", "timestamp": "2026-11-20T12:06:00.000Z", "create_time": "2026-11-20T12:06:00.000Z", "content": "Called the dentist", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "episodic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "daily/2026-11-20.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_history VALUES ('tom', '7bfvj2hp5x51h', 9, '2026-11-20T12:14:00.000Z', 'add', 'asked to remember', NULL, '{"id": "7bfvj2hp5x51h", "user_id": "tom", "timestamp": "2026-11-20T12:14:00.000Z", "create_time": "2026-11-20T12:14:00.000Z", "content": "Plays the cello", "tags": [], "session_id": null, "app_type": null, "role": null, "memory_type": "long_term", "kind": "semantic", "category": "fact", "key": null, "value": null, "confidence": 0.9, "source": "user_stated", "importance": 3, "visibility": "private", "valid_from": null, "valid_to": null, "superseded_by": null, "document": "MEMORY.md", "last_accessed": null, "access_count": 0}');
INSERT INTO public.memory_index VALUES ('mei', 8589934592, 9, -1, -1, -1, 0, '喜 欢 喝 绿 茶 喜欢 欢喝 喝绿 绿茶');
INSERT INTO public.memory_index VALUES ('mei', 8589934593, 3, -1, -1, -1, 0, 'drink oolong now');
INSERT INTO public.memory_index VALUES ('mei', 8589934594, 3, -1, -1, -1, 8, 'life in lisbon');
INSERT INTO public.memory_index VALUES ('mei', 8589934596, 3, -1, -1, -1, 4, 'has two cat');
INSERT INTO public.memory_index VALUES ('mei', 8589934597, 3, -1, -1, -1, 0, 'call the dentist');
INSERT INTO public.memory_index VALUES ('mei', 8589934598, 6, 0, -1, 0, 4, 'i walk the dog at seven');
INSERT INTO public.memory_index VALUES ('mei', 8589934599, 1, 0, 6, 1, 0, 'note');
INSERT INTO public.memory_index VALUES ('mei', 8589934600, 9, 0, 7, 0, 10, '明 天 去 海 边 明天 天去 去海 海边');
INSERT INTO public.memory_index VALUES ('mei', 8589934601, 3, 0, 8, 1, 0, '好 的 好的');
INSERT INTO public.memory_index VALUES ('tom', 12884901888, 3, -1, -1, -1, 0, 'play the cello');
INSERT INTO public.memory_vector VALUES ('mei', 8589934592, 9120253550514897188, '\xa50ac33b007f0000000000c0c00000c000000000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934593, 2363219054729476102, '\x0402013c00810000000000000000000000000000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934594, -5897741886964129027, '\x28f7943b0000000000000000000000817f810000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934596, 7891648435477353928, '\x28f7943b007f00000000000000000081007f0000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934597, -4600158966589535981, '\x28f7943b00000000000000810081008100000000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934598, 1207342185307233699, '\x42ab523b000000000000008181000000817f817f');
INSERT INTO public.memory_vector VALUES ('mei', 8589934599, 844616075278132537, '\x0402013c007f0000000000000000000000000000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934600, -3509111278710720590, '\xbbc6663b000000008100007f7f00007f00810000');
INSERT INTO public.memory_vector VALUES ('mei', 8589934601, 3407631506858352956, '\xd771b63b00007f00000000000000000000007f00');
INSERT INTO public.memory_vector VALUES ('tom', 12884901888, 8132853526999023628, '\x28f7943b00000000000081810000000000007f00');
INSERT INTO public.owner VALUES ('default', 1, 0, 0, 0, 0, DEFAULT);
INSERT INTO public.owner VALUES ('tom', 3, 1, 0, 2, 0, DEFAULT);
INSERT INTO public.owner VALUES ('mei', 2, 10, 8, 14, 2, DEFAULT);
INSERT INTO public.packed_code VALUES ('mei', 0, '\x40000000000000000000000000000000000800000000000000000000000000004004000000000000000000000000000000050000000000004000000000000000');
INSERT INTO public.packed_posting VALUES ('mei', 'at', 0, '\x01000600');
INSERT INTO public.packed_posting VALUES ('mei', 'call', 0, '\x01000500');
INSERT INTO public.packed_posting VALUES ('mei', 'cat', 0, '\x01000400');
INSERT INTO public.packed_posting VALUES ('mei', 'dentist', 0, '\x01000500');
INSERT INTO public.packed_posting VALUES ('mei', 'dog', 0, '\x01000600');
INSERT INTO public.packed_posting VALUES ('mei', 'drink', 0, '\x01000100');
INSERT INTO public.packed_posting VALUES ('mei', 'has', 0, '\x01000400');
INSERT INTO public.packed_posting VALUES ('mei', 'i', 0, '\x01000600');
INSERT INTO public.packed_posting VALUES ('mei', 'in', 0, '\x01000200');
INSERT INTO public.packed_posting VALUES ('mei', 'life', 0, '\x01000200');
INSERT INTO public.packed_posting VALUES ('mei', 'lisbon', 0, '\x01000200');
INSERT INTO public.packed_posting VALUES ('mei', 'note', 0, '\x01000700');
INSERT INTO public.packed_posting VALUES ('mei', 'now', 0, '\x01000100');
INSERT INTO public.packed_posting VALUES ('mei', 'oolong', 0, '\x01000100');
INSERT INTO public.packed_posting VALUES ('mei', 'seven', 0, '\x01000600');
INSERT INTO public.packed_posting VALUES ('mei', 'the', 0, '\x0100050001000600');
INSERT INTO public.packed_posting VALUES ('mei', 'two', 0, '\x01000400');
INSERT INTO public.packed_posting VALUES ('mei', 'walk', 0, '\x01000600');
INSERT INTO public.packed_posting VALUES ('mei', '喜', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '喜欢', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '喝', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '喝绿', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '欢', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '欢喝', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '绿', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '绿茶', 0, '\x01000000');
INSERT INTO public.packed_posting VALUES ('mei', '茶', 0, '\x01000000');
INSERT INTO public.packed_row VALUES ('mei', 0, '\x0900ffffffffffffffffffff000700ead3f8a10100000300ffffffffffffffffffff000360d4d4f8a10100000300ffffffffffffffffffff080bc0bed5f8a10100000000ffffffffffffffffffff000000000000000000000300ffffffffffffffffffff0403e07dd8f8a10100000300ffffffffffffffffffff00034068d9f8a1010000060000000000ffffffff00000401a052daf8a10100000100000000000600000001000001a052daf8a1010000');
INSERT INTO public.role_rule VALUES ('parent', 'allow', '*');
INSERT INTO public.role_rule VALUES ('child', 'allow', '*');
INSERT INTO public.role_rule VALUES ('child', 'deny', 'parent');
INSERT INTO public.role_rule VALUES ('child', 'deny', 'work');
INSERT INTO public.role_rule VALUES ('child', 'deny', 'finance');
INSERT INTO public.role_rule VALUES ('child', 'deny', '家长');
INSERT INTO public.role_rule VALUES ('child', 'deny', '工作');
INSERT INTO public.role_rule VALUES ('child', 'deny', '财务');
INSERT INTO public.role_rule VALUES ('guest', 'allow', 'guest');
INSERT INTO public.role_rule VALUES ('guest', 'allow', '客人');
INSERT INTO public.role_rule VALUES ('agent', 'allow', '*');
INSERT INTO public.role_rule VALUES ('agent', 'deny', 'finance');
INSERT INTO public.role_rule VALUES ('agent', 'deny', '财务');
INSERT INTO public.role_rule VALUES ('member', 'allow', '*');
INSERT INTO public.schema_version VALUES (3);
INSERT INTO public.session VALUES ('mei', 's1', 0, 9, '2026-11-20T12:07:00.000Z', '2026-11-20T12:08:00.000Z', 'Dog walks', NULL);
INSERT INTO public.setting VALUES ('memory.rag_top_n', '7');
INSERT INTO public.setting_change VALUES (1);
INSERT INTO public.sharing VALUES (4);
INSERT INTO public.speaker VALUES ('mei', 'user', 0, 'user');
INSERT INTO public.speaker VALUES ('mei', 'assistant', 1, 'assist');
INSERT INTO public.tombstone VALUES ('mei', '\x2ed97b1783c689a7a31a1b48ab4f1f71', '2026-11-20T12:04:00.000Z');
INSERT INTO public.user_profile VALUES ('mei', 'USER.md', 1, 'Prefers short answers.
', 'b9222ae357120af1d8c83927948ddc11', '2026-11-23T05:57:59.445Z');
INSERT INTO public.working_memory VALUES ('mei', 's1', 'dogs', '{"date": "明天"}', 2, 'neutral', '2026-11-20T12:07:00.000Z', '2026-11-20T12:09:00.000Z', NULL, 3, 0);
SELECT pg_catalog.setval('public.conversation_id', 4, true);
SELECT pg_catalog.setval('public.document_version', 13, true);
SELECT pg_catalog.setval('public.history_number', 9, true);
SELECT pg_catalog.setval('public.job_number', 6, true);
SELECT pg_catalog.setval('public.owner_number', 3, true);
SELECT pg_catalog.setval('public.profile_id', 1, true);
SELECT pg_catalog.setval('public.queue_number', 12, true);
SELECT pg_catalog.setval('public.summary_id', 1, false);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.atomic_memory
    ADD CONSTRAINT atomic_memory_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.atomic_memory
    ADD CONSTRAINT atomic_memory_user_id_id_key UNIQUE (user_id, id);
ALTER TABLE ONLY public.circle
    ADD CONSTRAINT circle_pkey PRIMARY KEY (circle_id);
ALTER TABLE ONLY public.conversation
    ADD CONSTRAINT conversation_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (user_id, path);
ALTER TABLE ONLY public.document_text
    ADD CONSTRAINT document_text_pkey PRIMARY KEY (user_id, path);
ALTER TABLE ONLY public.extraction
    ADD CONSTRAINT extraction_pkey PRIMARY KEY (user_id, session_id);
ALTER TABLE ONLY public.handled_event
    ADD CONSTRAINT handled_event_pkey PRIMARY KEY (user_id, session_id, event_id);
ALTER TABLE ONLY public.idempotent_answer
    ADD CONSTRAINT idempotent_answer_pkey PRIMARY KEY (user_id, key);
ALTER TABLE ONLY public.index_identity
    ADD CONSTRAINT index_identity_pkey PRIMARY KEY (what);
ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (user_id, circle_id);
ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (user_id, session_id, kind);
ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (user_id, circle_id);
ALTER TABLE ONLY public.memory_access
    ADD CONSTRAINT memory_access_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.memory_code
    ADD CONSTRAINT memory_code_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.memory_history
    ADD CONSTRAINT memory_history_pkey PRIMARY KEY (user_id, memory_id, number);
ALTER TABLE ONLY public.memory_index
    ADD CONSTRAINT memory_index_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.memory_near
    ADD CONSTRAINT memory_near_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.memory_vector_next
    ADD CONSTRAINT memory_vector_next_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.memory_vector
    ADD CONSTRAINT memory_vector_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.owner
    ADD CONSTRAINT owner_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.packed_code
    ADD CONSTRAINT packed_code_pkey PRIMARY KEY (user_id, block);
ALTER TABLE ONLY public.packed_posting
    ADD CONSTRAINT packed_posting_pkey PRIMARY KEY (user_id, term, block);
ALTER TABLE ONLY public.packed_row
    ADD CONSTRAINT packed_row_pkey PRIMARY KEY (user_id, block);
ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.role_rule
    ADD CONSTRAINT role_rule_pkey PRIMARY KEY (role, effect, tag);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (user_id, session_id);
ALTER TABLE ONLY public.session_summary
    ADD CONSTRAINT session_summary_pkey PRIMARY KEY (user_id, id);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.speaker
    ADD CONSTRAINT speaker_pkey PRIMARY KEY (user_id, name);
ALTER TABLE ONLY public.tombstone
    ADD CONSTRAINT tombstone_pkey PRIMARY KEY (user_id, content_hash);
ALTER TABLE ONLY public.user_profile
    ADD CONSTRAINT user_profile_pkey PRIMARY KEY (user_id, document, id);
ALTER TABLE ONLY public.vector_queue
    ADD CONSTRAINT vector_queue_pkey PRIMARY KEY (user_id, row_id);
ALTER TABLE ONLY public.working_memory
    ADD CONSTRAINT working_memory_pkey PRIMARY KEY (user_id, session_id);
CREATE INDEX api_key_user ON public.api_key USING btree (user_id);
CREATE INDEX conversation_collected ON public.conversation USING btree (user_id, id) WHERE (is_collected = 1);
CREATE INDEX conversation_memory ON public.conversation USING btree (user_id, memory_id);
CREATE INDEX conversation_session ON public.conversation USING btree (user_id, session_id, id);
CREATE UNIQUE INDEX conversation_source ON public.conversation USING btree (user_id, source_id) WHERE (source_id IS NOT NULL);
CREATE INDEX handled_event_at ON public.handled_event USING btree (at);
CREATE INDEX idempotent_at ON public.idempotent_answer USING btree (created_at);
CREATE INDEX job_due ON public.job USING btree (due_at) WHERE (given_up_at IS NULL);
CREATE INDEX job_given_up ON public.job USING btree (user_id, given_up_at) WHERE (given_up_at IS NOT NULL);
CREATE INDEX job_leased ON public.job USING btree (leased_by) WHERE (leased_by IS NOT NULL);
CREATE INDEX job_of_number ON public.job USING btree (user_id, number);
CREATE INDEX membership_circle ON public.membership USING btree (circle_id);
CREATE INDEX memory_document ON public.atomic_memory USING btree (user_id, document) WHERE (document IS NOT NULL);
CREATE INDEX memory_id ON public.atomic_memory USING btree (id);
CREATE INDEX memory_key ON public.atomic_memory USING btree (user_id, key) WHERE (key IS NOT NULL);
CREATE INDEX memory_long_term ON public.atomic_memory USING btree (user_id, "timestamp") WHERE (memory_type = 'long_term'::text);
CREATE INDEX memory_near_code ON public.memory_near USING hnsw (code public.bit_hamming_ops);
CREATE INDEX memory_shared ON public.atomic_memory USING btree (visibility, user_id) WHERE (visibility <> 'private'::text);
CREATE INDEX memory_superseded_by ON public.atomic_memory USING btree (user_id, superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX memory_turn ON public.atomic_memory USING btree (user_id, session_id, role, start_hash) WHERE (role IS NOT NULL);
CREATE INDEX owner_of_number ON public.owner USING btree (number);
CREATE INDEX owner_to_pack ON public.owner USING btree (unpacked);
CREATE INDEX receipt_at ON public.receipt USING btree (created_at);
CREATE INDEX session_id ON public.session USING btree (session_id);
CREATE INDEX summary_recent ON public.session_summary USING btree (user_id, updated_at);
CREATE INDEX summary_session ON public.session_summary USING btree (user_id, session_id);
CREATE INDEX vector_queue_order ON public.vector_queue USING btree (number);
CREATE INDEX vector_text ON public.memory_vector USING btree (text_hash);
CREATE INDEX vector_text_next ON public.memory_vector_next USING btree (text_hash);
CREATE INDEX working_updated ON public.working_memory USING btree (updated_at);
CREATE TRIGGER document_text_changed AFTER INSERT OR DELETE OR UPDATE ON public.document_text FOR EACH ROW EXECUTE FUNCTION public.tell_of_document();
CREATE POLICY added ON public.atomic_memory FOR INSERT WITH CHECK (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY added ON public.memory_access FOR INSERT WITH CHECK (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = memory_access.user_id) AND (m.row_id = memory_access.row_id))
 OFFSET 0))));
CREATE POLICY added ON public.memory_index FOR INSERT WITH CHECK (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY added ON public.memory_vector FOR INSERT WITH CHECK (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY added ON public.memory_vector_next FOR INSERT WITH CHECK (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY added ON public.owner FOR INSERT WITH CHECK (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
ALTER TABLE public.api_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.atomic_memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY changed ON public.atomic_memory FOR UPDATE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY changed ON public.memory_access FOR UPDATE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = memory_access.user_id) AND (m.row_id = memory_access.row_id))
 OFFSET 0))));
CREATE POLICY changed ON public.memory_index FOR UPDATE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY changed ON public.memory_vector FOR UPDATE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY changed ON public.memory_vector_next FOR UPDATE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY changed ON public.owner FOR UPDATE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
ALTER TABLE public.circle ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conversation ENABLE ROW LEVEL SECURITY;
CREATE POLICY deleted ON public.atomic_memory FOR DELETE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY deleted ON public.memory_access FOR DELETE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY deleted ON public.memory_index FOR DELETE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY deleted ON public.memory_vector FOR DELETE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY deleted ON public.memory_vector_next FOR DELETE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY deleted ON public.owner FOR DELETE USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
ALTER TABLE public.document ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.document_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.extraction ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.handled_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotent_answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.job ENABLE ROW LEVEL SECURITY;
CREATE POLICY kept ON public.api_key USING (public.chatmem_whole_store());
CREATE POLICY kept ON public.circle USING (public.chatmem_whole_store());
CREATE POLICY kept ON public.invitation USING (public.chatmem_whole_store());
CREATE POLICY kept ON public.membership USING (public.chatmem_whole_store());
ALTER TABLE public.membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_access ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_code ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_near ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_vector ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.memory_vector_next ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.conversation USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.document USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.document_text USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.extraction USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.handled_event USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.idempotent_answer USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.job USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.memory_code USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.memory_history USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.memory_near USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.packed_code USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.packed_posting USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.packed_row USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.receipt USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.session USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.session_summary USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.speaker USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.tombstone USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.user_profile USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.vector_queue USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
CREATE POLICY own ON public.working_memory USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store()));
ALTER TABLE public.owner ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.packed_code ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.packed_posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.packed_row ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.receipt ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON public.atomic_memory FOR SELECT USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR ((visibility <> 'private'::text) AND public.chatmem_sees(( SELECT public.chatmem_rules(public.chatmem_user()) AS chatmem_rules), user_id, visibility, tag_forms))));
CREATE POLICY seen ON public.memory_access FOR SELECT USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = memory_access.user_id) AND (m.row_id = memory_access.row_id))
 OFFSET 0))));
CREATE POLICY seen ON public.memory_index FOR SELECT USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = memory_index.user_id) AND (m.row_id = memory_index.row_id))
 OFFSET 0))));
CREATE POLICY seen ON public.memory_vector FOR SELECT USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = memory_vector.user_id) AND (m.row_id = memory_vector.row_id))
 OFFSET 0))));
CREATE POLICY seen ON public.memory_vector_next FOR SELECT USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = memory_vector_next.user_id) AND (m.row_id = memory_vector_next.row_id))
 OFFSET 0))));
CREATE POLICY seen ON public.owner FOR SELECT USING (((user_id = ( SELECT public.chatmem_user() AS chatmem_user)) OR public.chatmem_whole_store() OR (EXISTS ( SELECT
   FROM public.atomic_memory m
  WHERE ((m.user_id = owner.user_id) AND (m.visibility <> 'private'::text) AND (m.visibility = ANY (ARRAY['household'::text, 'group'::text, 'public'::text])))
 OFFSET 0))));
ALTER TABLE public.session ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.session_summary ENABLE ROW LEVEL SECURITY;
CREATE POLICY shared ON public.circle FOR SELECT USING ((circle_id = ANY (( SELECT public.chatmem_circles(public.chatmem_user()) AS chatmem_circles)::text[])));
CREATE POLICY shared ON public.invitation FOR SELECT USING ((user_id = public.chatmem_user()));
CREATE POLICY shared ON public.membership FOR SELECT USING (((user_id = public.chatmem_user()) OR (circle_id = ANY (( SELECT public.chatmem_circles(public.chatmem_user()) AS chatmem_circles)::text[]))));
ALTER TABLE public.speaker ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tombstone ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.user_profile ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.vector_queue ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.working_memory ENABLE ROW LEVEL SECURITY;
