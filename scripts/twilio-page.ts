// Prints docs/twilio-api.md from the tables that decide: every served method of Twilio's clients, with each of its
// parameters as done or refused.

import { z } from "zod";
import { isRefused, type TwilioOperation } from "../src/adapters/twilio/operation.ts";
import { TWIML_ATTRIBUTES } from "../src/adapters/twilio/read-twiml.ts";
import { twilioMethods } from "../src/server/parts/twilio.ts";

const INTRODUCTION = `# The API in Twilio's shape

The official \`twilio\` client works with Tandem unchanged, as far as this page goes. Its account SID and auth token are your account's sid and token. Only where it sends its requests must be said, by a request client:

\`\`\`js
const twilio = require("twilio");

class Tandem extends twilio.RequestClient {
  request(options) {
    const { pathname, search } = new URL(options.uri);
    return super.request({ ...options, uri: process.env.TANDEM_URL + pathname + search });
  }
}
const client = twilio(process.env.TANDEM_ACCOUNT_SID, process.env.TANDEM_TOKEN, { httpClient: new Tandem() });
\`\`\`

These routes do what the operations of \`/v1\` do, on the same records, with the same checks and limits. They stand in no OpenAPI document: the client's own source is their description.

Nothing is ignored. A parameter, a filter, or a verb or attribute of TwiML that is not done here is refused by its name: 400 with \`code\`, \`message\`, \`more_info\` and \`status\`. So is one that this page does not name. Any other path of that provider's API (queues, Verify, Conversations, Messaging services, Lookups v1, …) is answered in the same shape with 404 and \`code\` 20404. What its clients ask for is known by their \`User-Agent\`: \`/v1/Events\` from them is that provider's Monitor, and from any other client ours.

This page is generated from the tables that decide: \`npm run generate\`.

## Methods
`;

const REST = `
Prices are null. Times are RFC 2822. Sids are yours in Twilio's spelling and are turned back without a table: \`SM…\` a message, \`CA…\` a call, \`RE…\` a segment of a recording, \`PN…\` a number, \`MG…\` a MessagingConfig.

## Webhooks

\`StatusCallback\` of a message gets its status changes, and that of a call the statuses of the party that is called, instead of your subscriptions; of what Dial connects, the account's subscriptions get the statuses where the call has no \`StatusCallback\`. With GET the parameters are in the query, and \`X-Twilio-Signature\` covers the URL with them. The parameters are those of shape Twilio in [events.md](events.md).

\`Say\` is spoken by the voice that this server has (\`speech\` in tandem.config.json); which one, the call's \`why\` tells.

## Signatures

\`StatusCallback\` of a message or a call and \`Url\` of a call are signed with the account's secret for callbacks: \`POST /v1/Account/webhookSecret\` shows a new one. \`twilio.validateRequest(secret, signature, url, parameters)\` accepts it. The URLs of a number are subscriptions, each with a secret of its own: \`POST /v1/Webhooks/{sid}/rotateSecret\` shows a new one. Your token signs nothing, because only its digest is stored.

\`X-Twilio-Signature\` holds one signature, made with the newest secret. So a new secret counts **at once** for receivers that check this header: have them accept both secrets before you rotate. \`webhook-signature\` on the same request is also signed with replaced secrets, for 24 hours.

## Errors

The client throws its \`RestException\` with the HTTP status and one of Twilio's codes; its message names the parameter:

| Code | Status | When |
|---|---|---|
| 20001 | 400 | a parameter cannot be used, or is not done here |
| 20003 | 401 | account or token is wrong |
| 20005, 30002 | 403 | the account is suspended; 30002 when it sends |
| 20403 | 403 | a feature is off |
| 20404 | 404 | there is no such thing, or it is another account's, or that part of the API is not served |
| 21220 | 409 | a call cannot be redirected: it has ended, or is not answered yet |
| 20409 | 409 | a message is not, or no longer, in the state that is needed; a call that is under way is not deleted |
| 20429 | 429 | a limit is reached; \`Retry-After\` says for how long |
| 12100 | 400 | \`Twiml\` cannot be carried out |
| 21205 | 400 | \`Url\` is missing, not allowed, or did not answer with TwiML; \`FallbackUrl\` is not allowed |
| 21210 | 400 | \`From\` of a call is missing, or no number of yours with voice |
| 21211, 21212 | 400 | \`To\` or \`From\` is no number |
| 21215, 21216 | 400 | calls to that country, or to such numbers, are not allowed |
| 21408 | 400 | messages to that country are not allowed |
| 21602, 21617 | 400 | the text is empty, or too long |
| 21606 | 400 | the sender is not yours, not active, or cannot send this |
| 21609 | 400 | a callback URL or a date cannot be used |
| 21610 | 400 | the recipient has opted out |
| 30034 | 400 | the sender's campaign is missing, changing or not active |
`;

export function twilioPage(): string {
  const listed = twilioMethods().filter(({ client }) => client !== undefined);
  return `${INTRODUCTION}\n${listed.map(sectionOf).join("")}${twiml()}${REST}`;
}

function sectionOf({ client, summary, differs, query, body }: TwilioOperation<never>): string {
  const parameters = [query, body].flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.entries(schema.shape) : [],
  );
  const named = (isDone: boolean) =>
    parameters.filter(([, schema]) => isRefused(schema) !== isDone).map(([name]) => `\`${name}\``);
  const row = (title: string, names: readonly string[]) =>
    names.length === 0 ? "" : `${title}: ${names.join(", ")}.\n\n`;
  const note = differs === undefined ? "" : `${differs}\n\n`;
  return `### \`${client}\`\n\n${summary}.\n\n${row("Done", named(true))}${row("Refused", named(false))}${note}`;
}

function twiml(): string {
  const rows = Object.entries(TWIML_ATTRIBUTES).map(([element, attributes]) => {
    const names = Object.keys(attributes).map((name) => `\`${name}\``);
    return `| \`${element}\` | ${names.join(", ") || "none"} |\n`;
  });
  return `## TwiML

\`Twiml\`, and what \`VoiceUrl\`, \`Url\` and further URLs answer, is a [program](programs.md) of these verbs. These attributes are done:

| Element | Attributes |
|---|---|
${rows.join("")}
\`timeout\` of Dial is how long the party may ring, \`timeLimit\` how long the parties may be connected. Every other attribute and every other verb (\`ringTone\`, \`trim\`, \`recordingTrack\`, \`sendDigits\` of Number, \`coach\` of Conference, …) is refused with its line and column; \`tandem script check FILE\` says so without a call. \`waitUrl\` of Conference is a sound file, fetched by GET; \`maxParticipants\` is 50 at most ([programs](programs.md#conference)). \`Play\` plays WAV and MP3 files ([programs](programs.md#play)).
`;
}
