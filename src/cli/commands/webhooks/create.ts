// `tandem webhooks create`: subscribes a URL to the events of a type.

import { type Command, Option } from "commander";
import { type EventType, PAYLOAD_SHAPES, type PayloadShape, type WebhookOrder } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, oneOf, parseEventType } from "../../arguments.ts";
import { print, printJson } from "../../output.ts";
import { printSubscriptions } from "./list.ts";

interface CreateFlags extends AccountFlags {
  readonly backupUrl?: string;
  readonly phone?: string;
  readonly config?: string;
  readonly bearer?: string;
  readonly shape?: PayloadShape;
  readonly off?: true;
}

export function addCreateCommand(webhooks: Command): void {
  const command = webhooks
    .command("create")
    .description("Send the events of a type to a URL. Prints the signing secret, which is shown this once.")
    .argument("<type>", "the event type", parseEventType)
    .argument("<receiver>", "the URL that gets them")
    .option("--backup-url <url>", "tried at once when the receiver fails")
    .option("--phone <number>", "only events of this number")
    .addOption(new Option("--config <sid>", "only events of this MessagingConfig").conflicts("phone"))
    .option("--bearer <token>", "sent as Authorization: Bearer …")
    .option("--shape <shape>", "of the payload: A, B or Twilio", oneOf(PAYLOAD_SHAPES))
    .option("--off", "made, but not switched on")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (type: EventType, receiver: string, flags: CreateFlags) => {
    const { data } = await clientOf(flags).webhooks.create(orderOf(type, receiver, flags));
    if (flags.json) {
      printJson(data);
      return;
    }
    printSubscriptions([data]);
    print(`\nSigning secret, shown this once: ${data.secret}\n`);
  });
}

function orderOf(type: EventType, url: string, flags: CreateFlags): WebhookOrder {
  return {
    type,
    url,
    ...given({
      backupUrl: flags.backupUrl,
      phone: flags.phone,
      messagingConfigSid: flags.config,
      authorizationBearer: flags.bearer,
      payloadShape: flags.shape,
    }),
    ...(flags.off ? { enabled: false } : {}),
  };
}
