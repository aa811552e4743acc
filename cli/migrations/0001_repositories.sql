-- Repositories, what is searched in them, and who may read them.
--
-- Who may read a repository is its audience: a set of groups. Each audience has an HNSW graph of its
-- own, since a graph that holds chunks of others would lead a search past them, and so let what a
-- user may not read change what they find. For the same reason the words keep no statistics of all
-- repositories: a search adds them up over the rows that it may read.

CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;

-- Roles belong to the whole server, so another database may have made them.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['footnote_reader', 'footnote_writer'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
        IF NOT pg_has_role(current_user, wanted, 'SET') THEN
            EXECUTE format('GRANT %I TO current_user WITH SET TRUE', wanted);
        END IF;
    END LOOP;
END
$$;

CREATE TABLE footnote.audiences (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Sorted, without doubles. Everybody is in the group 'public'.
    groups text[] NOT NULL UNIQUE CHECK (cardinality(groups) > 0)
);

CREATE TABLE footnote.users (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    groups text[] NOT NULL
);

CREATE TABLE footnote.tokens (
    -- SHA-256. Tokens are long and random, so that a slow hash would gain nothing.
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    owner int NOT NULL REFERENCES footnote.users ON DELETE CASCADE,
    made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON footnote.tokens (owner);

-- The encoder of all vectors: those of different encoders cannot be compared.
CREATE TABLE footnote.encoder (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id text NOT NULL
);

CREATE TABLE footnote.repositories (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    audience int NOT NULL REFERENCES footnote.audiences,
    -- Of the index file; it ends in a digest of what is inside.
    file_name text NOT NULL,
    -- SHA-256 of the index file.
    content bytea NOT NULL CHECK (octet_length(content) = 32),
    size bigint NOT NULL,
    files int NOT NULL,
    chunks int NOT NULL,
    pushed_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (id, audience)
);
CREATE INDEX ON footnote.repositories (audience);
CREATE INDEX ON footnote.repositories (file_name);

CREATE TABLE footnote.index_files (
    repository int PRIMARY KEY,
    audience int NOT NULL,
    bytes bytea NOT NULL,
    FOREIGN KEY (repository, audience)
        REFERENCES footnote.repositories (id, audience) ON DELETE CASCADE
);
-- The bytes are compressed already; uncompressed by PostgreSQL, a range of them is read alone.
ALTER TABLE footnote.index_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE footnote.files (
    repository int NOT NULL,
    audience int NOT NULL,
    id int NOT NULL,
    path text NOT NULL,
    PRIMARY KEY (repository, id),
    FOREIGN KEY (repository, audience)
        REFERENCES footnote.repositories (id, audience) ON DELETE CASCADE
);

CREATE TABLE footnote.chunks (
    repository int NOT NULL,
    audience int NOT NULL,
    id int NOT NULL,
    file int NOT NULL,
    first_line int NOT NULL,
    last_line int NOT NULL,
    symbol text,
    -- Of the static encoder; missing if the chunk has no word that it knows.
    vector halfvec(256),
    PRIMARY KEY (repository, id),
    FOREIGN KEY (repository, audience)
        REFERENCES footnote.repositories (id, audience) ON DELETE CASCADE
);

-- For each word the chunks of a repository, and the part of their BM25 score that does not depend
-- on how rare the word is elsewhere.
CREATE TABLE footnote.words (
    term text COLLATE "C" NOT NULL,
    repository int NOT NULL,
    audience int NOT NULL,
    chunks int[] NOT NULL,
    impacts real[] NOT NULL,
    -- With the audience, so that the time of a search does not grow with what is hidden.
    PRIMARY KEY (term, audience, repository),
    CHECK (cardinality(chunks) = cardinality(impacts)),
    FOREIGN KEY (repository, audience)
        REFERENCES footnote.repositories (id, audience) ON DELETE CASCADE
);
CREATE INDEX ON footnote.words (repository);

CREATE TABLE footnote.symbols (
    repository int NOT NULL,
    audience int NOT NULL,
    file int NOT NULL,
    -- What it can be asked by: its name, and its name with its owners.
    name text COLLATE "C" NOT NULL,
    qualified text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    first_line int NOT NULL,
    last_line int NOT NULL,
    FOREIGN KEY (repository, audience)
        REFERENCES footnote.repositories (id, audience) ON DELETE CASCADE
);
CREATE INDEX ON footnote.symbols (name, audience);
CREATE INDEX ON footnote.symbols (qualified, audience);
CREATE INDEX ON footnote.symbols (repository);

CREATE TABLE footnote.imports (
    repository int NOT NULL,
    audience int NOT NULL,
    file int NOT NULL,
    -- What it can be asked by; `from a.b import c` has a row for each of a, a.b and a.b.c.
    target text COLLATE "C" NOT NULL,
    module text NOT NULL,
    first_line int NOT NULL,
    last_line int NOT NULL,
    FOREIGN KEY (repository, audience)
        REFERENCES footnote.repositories (id, audience) ON DELETE CASCADE
);
CREATE INDEX ON footnote.imports (target, audience);
CREATE INDEX ON footnote.imports (repository);

-- The audiences that the groups of the present transaction belong to.
CREATE FUNCTION footnote.readable() RETURNS int[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
RETURN (
    SELECT coalesce(array_agg(id), '{}')
    FROM footnote.audiences
    WHERE groups && (coalesce(
        nullif(current_setting('footnote.groups', true), '')::text[], '{}'
    ) || '{public}'::text[])
);

-- The user of a token.
CREATE FUNCTION footnote.user_of(wanted bytea) RETURNS TABLE (name text, groups text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
BEGIN ATOMIC
    SELECT u.name, u.groups
    FROM footnote.tokens AS t JOIN footnote.users AS u ON u.id = t.owner
    WHERE t.hash = wanted;
END;

-- The audience of these groups, which are sorted; makes it and its HNSW graph if it is new.
CREATE FUNCTION footnote.audience_of(wanted text[]) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    found int;
BEGIN
    -- Two that make audiences at once would wait for each other's lock on the table.
    PERFORM pg_advisory_xact_lock(hashtext('footnote.audiences'));
    SELECT id INTO found FROM footnote.audiences WHERE groups = wanted;
    IF found IS NULL THEN
        INSERT INTO footnote.audiences (groups) VALUES (wanted) RETURNING id INTO found;
        EXECUTE format(
            'CREATE INDEX %I ON footnote.chunks USING hnsw (vector halfvec_cosine_ops) '
            'WHERE audience = %s', 'chunks_meaning_' || found, found);
    END IF;
    RETURN found;
END
$$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA footnote FROM PUBLIC;
GRANT USAGE ON SCHEMA footnote TO footnote_reader, footnote_writer;
GRANT SELECT ON footnote.encoder, footnote.migrations TO footnote_reader, footnote_writer;
GRANT INSERT ON footnote.encoder TO footnote_writer;
GRANT EXECUTE ON FUNCTION footnote.readable(), footnote.user_of(bytea) TO footnote_reader;
GRANT EXECUTE ON FUNCTION footnote.audience_of(text[]) TO footnote_writer;

-- Forced, so that a statement that forgot to take a role reads nothing, even as the tables' owner.
DO $$
DECLARE
    kept text;
BEGIN
    FOREACH kept IN ARRAY ARRAY[
        'repositories', 'index_files', 'files', 'chunks', 'words', 'symbols', 'imports'
    ] LOOP
        EXECUTE format('ALTER TABLE footnote.%I ENABLE ROW LEVEL SECURITY', kept);
        EXECUTE format('ALTER TABLE footnote.%I FORCE ROW LEVEL SECURITY', kept);
        EXECUTE format('GRANT SELECT ON footnote.%I TO footnote_reader', kept);
        EXECUTE format(
            'GRANT SELECT, INSERT, DELETE ON footnote.%I TO footnote_writer', kept);
        -- The inner SELECT is evaluated once for a statement, not for each row.
        EXECUTE format(
            'CREATE POLICY reading ON footnote.%I FOR SELECT TO footnote_reader '
            'USING (audience = ANY ((SELECT footnote.readable())::int[]))', kept);
        EXECUTE format(
            'CREATE POLICY writing ON footnote.%I TO footnote_writer '
            'USING (true) WITH CHECK (true)', kept);
    END LOOP;
END
$$;
