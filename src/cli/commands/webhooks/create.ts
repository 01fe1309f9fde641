// `tandem webhooks create`: subscribes a URL to the events of one or several types.

import { type Command, Option } from "commander";
import {
  PAYLOAD_SHAPES,
  type PayloadShape,
  type SubscribedType,
  type WebhookOrder,
} from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { collectTypes, given, oneOf } from "../../arguments.ts";
import { print, printJson } from "../../output.ts";
import { printSubscriptions } from "./list.ts";

interface CreateFlags extends AccountFlags {
  readonly type: readonly SubscribedType[];
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
    .description("Send the events of some types to a URL. Prints the signing secret, which is shown this once.")
    .argument("<receiver>", "the URL that gets them")
    .requiredOption(
      "--type <type>",
      "an event type; may be given several times. '*' is all but InboundCallReceivedWebhook, which must be named",
      collectTypes,
    )
    .option("--backup-url <url>", "tried at once when the receiver fails")
    .option("--phone <number>", "only events of this number")
    .addOption(new Option("--config <sid>", "only events of this MessagingConfig").conflicts("phone"))
    .option("--bearer <token>", "sent as Authorization: Bearer …")
    .option("--shape <shape>", "of the payload: A, B or Twilio", oneOf(PAYLOAD_SHAPES))
    .option("--off", "made, but not switched on")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (receiver: string, flags: CreateFlags) => {
    const { data } = await clientOf(flags).webhooks.create(orderOf(receiver, flags));
    if (flags.json) {
      printJson(data);
      return;
    }
    printSubscriptions([data]);
    print(`\nSigning secret, shown this once: ${data.secret}\n`);
  });
}

function orderOf(url: string, flags: CreateFlags): WebhookOrder {
  return {
    types: flags.type,
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
