// The words of messages, by which texts are found: those of some hundred successive messages of an account in one row,
// made some time after the messages.

import type { SchemaStep } from "./schema-step.ts";

export const textBlocks: SchemaStep = {
  name: "0025-text-blocks",
  sql: `
create table text_blocks (
  account_sid text not null references accounts on delete cascade,
  -- The block has the messages from the last one of the block before it up to this one.
  last_sid    text not null,
  -- Each word once, with a blank before and after it. Null: to be made again, because a message was changed.
  words       text,
  primary key (account_sid, last_sid)
);
create index text_blocks_to_make on text_blocks (account_sid) where words is null;
`,
};
