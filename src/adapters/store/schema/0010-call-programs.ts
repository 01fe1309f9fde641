// An ordered call has a program: a text to say, which it could have before, is a program of one instruction.

import type { SchemaStep } from "./schema-step.ts";

export const callPrograms: SchemaStep = {
  name: "0010-call-programs",
  sql: `
alter table calls add column program json;
update calls set program = json_build_object(
    'script', case when announcement = '' then '[]'::json
                   else json_build_array(json_build_object('kind', 'say', 'text', announcement)) end,
    'source', json_build_object('document', json_build_object('url', '', 'method', 'POST'), 'shape', 'Twilio'))
 where announcement is not null and process is null and status <> 'Completed';
alter table calls drop column announcement;
`,
};
