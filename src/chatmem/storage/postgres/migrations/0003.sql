-- How the server looks after tables that change otherwise than it assumes: by a fifth of their rows at a
-- time. Settings belong to the tables that have rows: to partitions, where there are some.

DO $$ DECLARE
    wish record;
    place regclass;
BEGIN
    FOR wish IN SELECT * FROM (VALUES
        -- Rows come and go within seconds: what is dead would be read over again by every look.
        ('vector_queue', 'fillfactor = 50, autovacuum_vacuum_scale_factor = 0, '
            'autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0'),
        ('job', 'fillfactor = 50, autovacuum_vacuum_scale_factor = 0, '
            'autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0'),
        -- Written over with every turn: room in the page keeps the new row beside the old one.
        ('owner', 'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05'),
        ('session', 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05'),
        ('working_memory', 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05'),
        ('memory_access', 'fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05'),
        -- A pack writes whole blobs anew, and the old ones stand beside the table.
        ('packed_posting', 'autovacuum_vacuum_scale_factor = 0.05, '
            'toast.autovacuum_vacuum_scale_factor = 0.05'),
        ('packed_row', 'autovacuum_vacuum_scale_factor = 0.05, '
            'toast.autovacuum_vacuum_scale_factor = 0.02'),
        ('packed_code', 'autovacuum_vacuum_scale_factor = 0.05, '
            'toast.autovacuum_vacuum_scale_factor = 0.02'),
        -- Large and seldom changed: a fifth of them would be millions of rows.
        ('atomic_memory', 'autovacuum_vacuum_scale_factor = 0.02, '
            'autovacuum_vacuum_insert_scale_factor = 0.05'),
        ('memory_index', 'autovacuum_vacuum_scale_factor = 0.02, '
            'autovacuum_vacuum_insert_scale_factor = 0.05'),
        ('memory_vector', 'autovacuum_vacuum_scale_factor = 0.02, '
            'autovacuum_vacuum_insert_scale_factor = 0.05'),
        ('conversation', 'autovacuum_vacuum_scale_factor = 0.02, '
            'autovacuum_vacuum_insert_scale_factor = 0.05')
    ) AS wishes (name, settings) LOOP
        FOR place IN
            SELECT c.oid FROM pg_class c WHERE c.relkind = 'r' AND (
                c.oid = wish.name::regclass
                OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = wish.name::regclass)
            )
        LOOP
            -- What packs write has a toast table in any case; where one has none, it needs no setting.
            EXECUTE format('ALTER TABLE %s SET (%s)', place, wish.settings);
        END LOOP;
    END LOOP;
END $$;
