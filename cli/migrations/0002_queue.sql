-- Archives that wait for a worker.

CREATE TABLE footnote.jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256 of everything that decides the result, so that the same work waits only once.
    key bytea NOT NULL UNIQUE CHECK (octet_length(key) = 32),
    -- Jobs of one name run in their order: an old version must not replace a new one.
    name text NOT NULL,
    file_name text NOT NULL,
    groups text[] NOT NULL,
    -- Dropped when the job has ended well.
    archive bytea,
    -- A worker takes only jobs of formats that it knows.
    format int NOT NULL,
    state text NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'running', 'done', 'failed', 'poisoned')),
    -- How often it was taken; the last taker alone may end it.
    attempts int NOT NULL DEFAULT 0,
    -- How often a worker said that it cannot be done.
    failures int NOT NULL DEFAULT 0,
    -- How often a worker went silent over it.
    deaths int NOT NULL DEFAULT 0,
    worker text,
    lease_until timestamptz,
    not_before timestamptz NOT NULL DEFAULT now(),
    error text,
    made_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
);
-- Archives are compressed already.
ALTER TABLE footnote.jobs ALTER COLUMN archive SET STORAGE EXTERNAL;
CREATE INDEX ON footnote.jobs (id) WHERE state IN ('waiting', 'running');
CREATE INDEX ON footnote.jobs (name) WHERE state IN ('waiting', 'running');

GRANT SELECT, INSERT, UPDATE, DELETE ON footnote.jobs TO footnote_writer;
