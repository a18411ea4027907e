-- The Markdown documents of an encrypted place, which has no files of them.
CREATE TABLE document_text (
    user_id TEXT NOT NULL,
    path TEXT NOT NULL,
    content TEXT NOT NULL,
    etag TEXT NOT NULL,                                 -- hash of the content
    version INTEGER NOT NULL,                           -- of the row: never the same for two contents
    PRIMARY KEY (user_id, path)
) WITHOUT ROWID;
