-- Row-level security: the second wall under the visibility predicate (docs/adr/0009). Not history but a
-- state: applied whole behind every migration, and as often as one likes.
--
-- `chatmem.acting_for` says who a statement acts for, until the transaction ends: '=' and the user's name,
-- or '*' for the whole store. Where it is not set, no row of any user is there.

CREATE OR REPLACE FUNCTION chatmem_user() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN starts_with(current_setting('chatmem.acting_for', true), '=')
        THEN substr(current_setting('chatmem.acting_for', true), 2) END
$$;

CREATE OR REPLACE FUNCTION chatmem_whole_store() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(current_setting('chatmem.acting_for', true) = '*', false)
$$;

-- The two that follow look at all members of circles, for the moment that they take.

-- The circles that a user is in.
CREATE OR REPLACE FUNCTION chatmem_circles(viewer text) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    acting text := current_setting('chatmem.acting_for', true);
    circles text[];
BEGIN
    PERFORM set_config('chatmem.acting_for', '*', true);
    SELECT coalesce(array_agg(circle_id), '{}') INTO circles FROM membership WHERE user_id = viewer;
    PERFORM set_config('chatmem.acting_for', acting, true);
    RETURN circles;
END $$;

-- What the rules of roles say to a user of whom: {owner: {"allow household *": 1, "deny work": 1}}. In a
-- snapshot, where nothing of it can change, they are kept for the statements that follow.
CREATE OR REPLACE FUNCTION chatmem_rules(viewer text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
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

-- Whether those rules let the user see a memory of somebody else: what storage/visibility.py says.
CREATE OR REPLACE FUNCTION chatmem_sees(rules jsonb, owner text, visibility text, tags text[])
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
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

-- The wall around a table of which everybody has rows of their own. `seen` is what of others is seen, and
-- `counted` what of that may be added and changed; own rows come first, and for them the rest is not asked.
CREATE OR REPLACE FUNCTION chatmem_wall(place text, seen text DEFAULT '', counted text DEFAULT '')
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT SET client_min_messages = error AS $$
DECLARE
    own text := 'user_id = (SELECT chatmem_user()) OR chatmem_whole_store()';
    policy name;
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
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'chatmem_server') THEN
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO chatmem_server', place);
    END IF;
END $$;

-- Codes of a new embedder's vectors have another size. These belong to who makes tables: the server's
-- role makes none.
CREATE OR REPLACE FUNCTION chatmem_make_codes(bits integer) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET client_min_messages = error AS $$
BEGIN
    DROP TABLE IF EXISTS memory_code;
    EXECUTE format(
        'CREATE TABLE memory_code (user_id text COLLATE "C" NOT NULL, row_id bigint NOT NULL, '
        'code bit(%s) NOT NULL, PRIMARY KEY (user_id, row_id))', bits
    );
    PERFORM chatmem_wall('memory_code');
END $$;

CREATE OR REPLACE FUNCTION chatmem_switch_vectors() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    ALTER TABLE memory_vector RENAME TO memory_vector_before;
    ALTER TABLE memory_vector_next RENAME TO memory_vector;
    ALTER TABLE memory_vector_before RENAME TO memory_vector_next;
    TRUNCATE memory_vector_next, packed_code;
END $$;

-- The role that a server takes on where its own sees past every policy.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'chatmem_server') THEN
        CREATE ROLE chatmem_server NOLOGIN;
    END IF;
EXCEPTION
    WHEN insufficient_privilege THEN NULL;  -- an administrator may make it (docs/security.md)
    WHEN duplicate_object OR unique_violation THEN NULL;  -- another database's migration did
END $$;
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND rolbypassrls AND NOT rolsuper)
    THEN GRANT chatmem_server TO CURRENT_USER; END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object THEN NULL;
END $$;

-- Tables with rows of users. A new one belongs into this list, or below.
SELECT chatmem_wall(place) FROM unnest(ARRAY[
    'conversation', 'document', 'document_text', 'extraction', 'handled_event', 'idempotent_answer',
    'job', 'memory_history', 'packed_code', 'packed_posting', 'packed_row', 'receipt', 'session',
    'session_summary', 'speaker', 'tombstone', 'user_profile', 'vector_queue', 'working_memory'
]) AS place;
SELECT chatmem_wall('memory_code') WHERE to_regclass('memory_code') IS NOT NULL;

-- What others share.
SELECT chatmem_wall('atomic_memory', $$(
    visibility <> 'private' AND chatmem_sees(
        (SELECT chatmem_rules(chatmem_user())), user_id, visibility, tag_forms
    )
)$$);
-- What stands beside a memory is seen by whoever sees the memory: these subqueries are under the policies
-- of `atomic_memory`, too. OFFSET keeps them from being turned round into a look at all memories.
SELECT chatmem_wall(place, format($$EXISTS (
    SELECT FROM atomic_memory m
    WHERE m.user_id = %1$I.user_id AND m.row_id = %1$I.row_id OFFSET 0
)$$, place)) FROM unnest(ARRAY['memory_index', 'memory_vector', 'memory_vector_next']) AS place;
-- Who sees a memory counts its accesses.
SELECT chatmem_wall('memory_access', seen, seen) FROM (VALUES ($$EXISTS (
    SELECT FROM atomic_memory m
    WHERE m.user_id = memory_access.user_id AND m.row_id = memory_access.row_id OFFSET 0
)$$)) AS _ (seen);
SELECT chatmem_wall('owner', $$EXISTS (
    SELECT FROM atomic_memory m WHERE m.user_id = owner.user_id AND m.visibility <> 'private'
        AND m.visibility IN ('household', 'group', 'public') OFFSET 0
)$$);

-- Who is in a circle is seen by its members. It is changed, as keys are, by statements for everybody
-- (tables/database.py), since it is about several people: by nobody acting for one user.
DO $$ DECLARE place text; BEGIN
    FOREACH place IN ARRAY ARRAY['membership', 'invitation', 'circle', 'api_key'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', place);
        EXECUTE format('DROP POLICY IF EXISTS kept ON %I', place);
        EXECUTE format('CREATE POLICY kept ON %I USING (chatmem_whole_store())', place);
    END LOOP;
END $$;
DROP POLICY IF EXISTS shared ON membership;
CREATE POLICY shared ON membership FOR SELECT USING (
    user_id = chatmem_user()
    OR circle_id = ANY ((SELECT chatmem_circles(chatmem_user()))::text[])
);
DROP POLICY IF EXISTS shared ON circle;
CREATE POLICY shared ON circle FOR SELECT USING (
    circle_id = ANY ((SELECT chatmem_circles(chatmem_user()))::text[])
);
DROP POLICY IF EXISTS shared ON invitation;
CREATE POLICY shared ON invitation FOR SELECT USING (user_id = chatmem_user());

-- Nobody's rows: counters, rules, settings.
DO $$ BEGIN
    REVOKE ALL ON FUNCTION chatmem_make_codes(integer), chatmem_switch_vectors(),
        chatmem_wall(text, text, text) FROM PUBLIC;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'chatmem_server') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO chatmem_server', current_schema());
        GRANT SELECT ON schema_version TO chatmem_server;
        GRANT SELECT, INSERT, UPDATE, DELETE
            ON api_key, circle, invitation, membership, index_identity, role_rule, setting,
                setting_change, sharing
            TO chatmem_server;
        GRANT USAGE, SELECT, UPDATE ON SEQUENCE owner_number, history_number, conversation_id,
            summary_id, profile_id, job_number, queue_number, document_version TO chatmem_server;
        GRANT EXECUTE ON FUNCTION chatmem_make_codes(integer), chatmem_switch_vectors()
            TO chatmem_server;
    END IF;
END $$;
