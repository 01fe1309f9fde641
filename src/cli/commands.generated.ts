// The plain commands, from the operations that they call: npm run generate. Not written by hand.

import type { PlainCommand } from "../base/plain-command.ts";

export const PLAIN_COMMANDS: readonly PlainCommand[] = [
  {
    "name": "messages list",
    "about": "List sent messages, the newest first.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{recipients}",
            ""
          ],
          "Status": "{status}",
          "Error": "{errorCode!}",
          "Segments": "{segmentCount}",
          "Text": "{text|short}"
        }
      }
    ],
    "who": "account",
    "call": "messages.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--from <number>",
        "help": "from this number",
        "to": "from",
        "kind": "text"
      },
      {
        "shown": "--to <number>",
        "help": "to this number",
        "to": "to",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--status <status>",
        "help": "Queued, Sent, Delivered, Failed, Expired, Canceled",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Queued",
          "Sent",
          "Delivered",
          "Failed",
          "Expired",
          "Canceled"
        ]
      },
      {
        "kind": "errorCode",
        "shown": "--error-code <code>",
        "help": "with this error; 0 is none",
        "to": "errorCode"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{recipients}",
            ""
          ],
          "Status": [
            "{status} ({statusReason})",
            "{status}"
          ],
          "Error": [
            "{errorCode!}: {errorDescription}",
            "{errorCode!}"
          ],
          "Created": "{createdOn}",
          "Send at": "{sendAt}",
          "Sent": "{sentOn}",
          "Delivered": "{deliveredOn}",
          "Expires": "{expiresOn}",
          "Segments": "{segmentCount} ({encoding})",
          "Priority": "{priority}",
          "Carrier": "{carrier}",
          "Config": "{messagingConfigSid}",
          "Campaign": "{tcrCampaignId}",
          "Media": "{mediaUrls|spaced}",
          "Text": "{text}"
        }
      },
      {
        "say": "→ {errorCode|advice}"
      }
    ],
    "who": "account",
    "call": "messages.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message: OM… or IM…",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "messages cancel",
    "about": "Cancel a message that has not left yet.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{recipients}",
            ""
          ],
          "Status": "{status}",
          "Error": "{errorCode!}",
          "Segments": "{segmentCount}",
          "Text": "{text|short}"
        }
      }
    ],
    "who": "account",
    "call": "messages.cancel",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "messages why",
    "about": "Tell why a message did or did not arrive: everything that was decided and happened, in order.",
    "shows": [
      {
        "print": [
          "{sid} is {status}, error {errorCode!}",
          "{sid} is {status}"
        ]
      },
      {
        "print": "{summary.what} {summary.why}\n"
      },
      {
        "table": {
          "At": "{at}",
          "Step": "{step}",
          "Details": [
            "{details}",
            ""
          ]
        },
        "of": "steps"
      },
      {
        "say": "→ {summary.advice}"
      }
    ],
    "who": "account",
    "call": "messages.why",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "messages inbound",
    "about": "List received messages, the newest first.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "From": "{from}",
          "To": "{to}",
          "Segments": "{segmentCount}",
          "Text": "{text|short}"
        }
      }
    ],
    "who": "account",
    "call": "messages.inbound.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--from <number>",
        "help": "from this number",
        "to": "from",
        "kind": "text"
      },
      {
        "shown": "--to <number>",
        "help": "to this number",
        "to": "to",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
    "sids": "IM",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{to}, {additionalRecipients}",
            "{to}"
          ],
          "Created": "{createdOn}",
          "Segments": "{segmentCount}",
          "Metadata": "{conversationMetadata}",
          "Media": "{mediaUrls|spaced}",
          "Text": "{text}"
        }
      }
    ],
    "who": "account",
    "call": "messages.inbound.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message: OM… or IM…",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "account show",
    "about": "Show the account: features, limits, and what others have to know of it.",
    "isDefault": true,
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": [
            "{status}: {suspendedReason}",
            "{status}"
          ],
          "Features": "{features}",
          "Caller id": "{defaultCallerId}",
          "Our CNP at the registry": "{upstreamCnpId}",
          "SIP comes from": "{sipSourceAddresses}",
          "Support": "{supportContact}",
          "Secrets since": "{webhookSecretCreatedOn}",
          "Created": "{createdOn}",
          "Country": "{country}",
          "Tokens": "{tokens|rights}",
          "Twilio's shape": [
            "signed with token {signingToken}",
            "signed with the account's secret"
          ],
          "Limit *": "limits"
        }
      }
    ],
    "who": "account",
    "call": "account.get",
    "takes": [],
    "answers": "one",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "account tokens create",
    "about": "Make a second token, shown this once. Spread it, then delete the first.",
    "shows": [
      {
        "print": "{token}"
      },
      {
        "say": "This is token {n}, shown this once: keep it."
      }
    ],
    "who": "account",
    "call": "account.createToken",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [],
    "options": [
      {
        "shown": "--signs",
        "help": "the token signs what comes in Twilio's shape; it is stored encrypted",
        "to": "signs",
        "kind": "yesOrNo"
      },
      {
        "shown": "--tool-writes",
        "help": "tools of language models may write with the token",
        "to": "toolWrites",
        "kind": "yesOrNo"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "account tokens promote",
    "about": "Let a signing token sign from now on, and not the older one.",
    "done": "promoted",
    "shows": [
      {
        "say": "Token {<place>} signs."
      }
    ],
    "who": "account",
    "call": "account.promoteToken",
    "takes": [
      "n"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<place>",
        "help": "1 or 2",
        "to": "n",
        "kind": "count"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "account tokens delete",
    "about": "Delete a token. What uses it is refused from then on.",
    "done": "deleted",
    "shows": [
      {
        "say": "Token {<place>} is deleted."
      }
    ],
    "who": "account",
    "call": "account.deleteToken",
    "takes": [
      "n"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<place>",
        "help": "1 or 2",
        "to": "n",
        "kind": "count"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "account rotate-secret",
    "about": "Make a new secret for callbacks that messages bring along, shown this once. For 24 hours the old one signs, too.",
    "shows": [
      {
        "print": "Signing secret, shown this once: {secret}"
      }
    ],
    "who": "account",
    "call": "account.rotateWebhookSecret",
    "takes": [],
    "answers": "one",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "account request-feature",
    "about": "Ask the operator to switch a feature on.",
    "shows": [
      {
        "say": "{sid}: {<feature>} was asked for, and is {status}."
      }
    ],
    "who": "account",
    "call": "account.requestFeature",
    "takes": [
      "feature"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<feature>",
        "help": "voice, campaignMigration",
        "to": "feature",
        "kind": "oneOf",
        "words": [
          "voice",
          "campaignMigration"
        ]
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "changes list",
    "about": "List who changed what in the account, the newest first.",
    "shows": [
      {
        "table": {
          "At": "{createdOn}",
          "By": "{by}",
          "Token": "{token}",
          "Operation": "{operation}",
          "Resource": "{resource}",
          "Request": "{requestId}"
        }
      }
    ],
    "who": "account",
    "call": "changes.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--operation <id>",
        "help": "by this operation, such as deleteWebhook",
        "to": "operation",
        "kind": "text"
      },
      {
        "shown": "--resource <id>",
        "help": "of this sid, number or campaign",
        "to": "resource",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "account support-link",
    "about": "Make a link by which support sees a page of the portal as you do. It holds no data.",
    "shows": [
      {
        "print": "{url}"
      }
    ],
    "who": "account",
    "call": "account.linkForSupport",
    "takes": [
      "address"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<address>",
        "help": "path and query of the page, such as /messages?q=status:Failed",
        "to": "address",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "numbers list",
    "about": "List the numbers of the account; removed ones only when --status asks for them.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Features": [
            "{features}",
            ""
          ]
        }
      }
    ],
    "who": "account",
    "call": "phones.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "PendingPortIn, PendingMessagingConfigAdd, PendingTcrCampaignAdd, PendingTcrCampaignChange, Active, Removed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "PendingPortIn",
          "PendingMessagingConfigAdd",
          "PendingTcrCampaignAdd",
          "PendingTcrCampaignChange",
          "Active",
          "Removed"
        ]
      },
      {
        "shown": "--config <sid>",
        "help": "that belong to this MessagingConfig",
        "to": "messagingConfigSid",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "numbers available",
    "about": "List numbers that can be had.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Features": [
            "{features}",
            ""
          ]
        },
        "empty": "There are none like that."
      }
    ],
    "who": "account",
    "call": "phones.available",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      {
        "kind": "text",
        "shown": "--area-code <digits>",
        "help": "the three digits after +1",
        "to": "areaCode"
      },
      {
        "kind": "text",
        "shown": "--contains <digits>",
        "help": "with these digits somewhere",
        "to": "contains"
      },
      {
        "shown": "--quantity <n>",
        "help": "1 to 100; 10 unless told",
        "to": "quantity",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "numbers buy",
    "about": "Take a number that can be had.",
    "shows": [
      {
        "fields": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Port order": "{portOrderSid}",
          "Features": [
            "{features}",
            ""
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "account",
    "call": "phones.create",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "one that tandem numbers available shows",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--name <name>",
        "help": "for people; none takes it away",
        "to": "name",
        "kind": "textOrNone"
      },
      {
        "shown": "--config <sid>",
        "help": "the MessagingConfig it belongs to; none takes it out",
        "to": "messagingConfigSid",
        "kind": "textOrNone"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "numbers show",
    "about": "Show a number, and what it waits for if it is not active.",
    "shows": [
      {
        "fields": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Port order": "{portOrderSid}",
          "Features": [
            "{features}",
            ""
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "account",
    "call": "phones.get",
    "takes": [
      "phone"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "numbers configure",
    "about": "Change what a number is called or belongs to.",
    "needs": "Say what to change: --name or --config.",
    "shows": [
      {
        "fields": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Port order": "{portOrderSid}",
          "Features": [
            "{features}",
            ""
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "account",
    "call": "phones.change",
    "takes": [
      "phone",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--name <name>",
        "help": "for people; none takes it away",
        "to": "name",
        "kind": "textOrNone"
      },
      {
        "shown": "--config <sid>",
        "help": "the MessagingConfig it belongs to; none takes it out",
        "to": "messagingConfigSid",
        "kind": "textOrNone"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "numbers voice show",
    "about": "Show where the calls of a number go, and whether they are recorded.",
    "shows": [
      {
        "fields": {
          "Calls go to": [
            "{callsForwardedTo}",
            "what the inbound-call webhook says"
          ],
          "Recorded": [
            "{recordInboundCalls?yes, unless a script says otherwise}",
            "no, unless a script says otherwise"
          ]
        }
      }
    ],
    "who": "account",
    "call": "phones.voice",
    "takes": [
      "phone"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "numbers voice set",
    "about": "Say where the calls of a number go, and whether they are recorded: only what is given changes.",
    "needs": "Say what to change: --forward-to or --record.",
    "shows": [
      {
        "fields": {
          "Calls go to": [
            "{callsForwardedTo}",
            "what the inbound-call webhook says"
          ],
          "Recorded": [
            "{recordInboundCalls?yes, unless a script says otherwise}",
            "no, unless a script says otherwise"
          ]
        }
      }
    ],
    "who": "account",
    "call": "phones.changeVoice",
    "takes": [
      "phone",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      {
        "kind": "textOrNone",
        "shown": "--forward-to <party>",
        "help": "a number or a SIP URI; none leaves it to the inbound-call webhook",
        "to": "callsForwardedTo"
      },
      {
        "shown": "--record <answer>",
        "help": "yes or no: record calls to it, unless a script says otherwise",
        "to": "recordInboundCalls",
        "kind": "yesOrNo"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "port-in list",
    "about": "List the port orders.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Numbers": "{numbers|count}",
          "Config": "{messagingConfigSid}",
          "Reason": "{reason}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "account",
    "call": "portIn.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Submitted, Exception, FocConfirmed, Completed, PartiallyCompleted, Cancelled, Failed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Submitted",
          "Exception",
          "FocConfirmed",
          "Completed",
          "PartiallyCompleted",
          "Cancelled",
          "Failed"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "port-in show",
    "about": "Show a port order, with how far each number has come.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "account",
    "call": "portIn.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "port-in cancel",
    "about": "Cancel a port order, for the numbers of which nothing has moved.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "account",
    "call": "portIn.cancel",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "configs create",
    "about": "Make a MessagingConfig.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Campaign": "{tcrCampaignId}",
          "Sending times": [
            "{sendingTimes|times}",
            "any"
          ],
          "Expiry in seconds": "{defaultExpirySeconds}",
          "Opt-out reply": "{optOutReply}",
          "Opt-in reply": "{optInReply}",
          "Help reply": "{helpReply}",
          "Opt-out keywords": "{optOutKeywords}",
          "Opt-in keywords": "{optInKeywords}",
          "Help keywords": "{helpKeywords}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "account",
    "call": "messagingConfigs.create",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<name>",
        "help": "with a campaign's id in it, in capitals, that campaign is linked when it is imported",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--campaign <id>",
        "help": "link this campaign; none unlinks it",
        "to": "tcrCampaignId",
        "kind": "textOrNone"
      },
      {
        "kind": "sendingTimes",
        "shown": "--sending-times <times>",
        "help": "\"Mon-Fri 09:00-20:00 America/New_York\", or any",
        "to": "sendingTimes"
      },
      {
        "shown": "--expiry <seconds>",
        "help": "how long a message waits to be sent",
        "to": "defaultExpirySeconds",
        "kind": "count"
      },
      {
        "shown": "--opt-out-reply <text>",
        "help": "the answer to STOP; none for the usual words",
        "to": "optOutReply",
        "kind": "textOrNone"
      },
      {
        "shown": "--opt-in-reply <text>",
        "help": "the answer to START",
        "to": "optInReply",
        "kind": "textOrNone"
      },
      {
        "shown": "--help-reply <text>",
        "help": "the answer to HELP",
        "to": "helpReply",
        "kind": "textOrNone"
      },
      {
        "kind": "commaWords",
        "shown": "--opt-out-keywords <words>",
        "help": "further ones beside STOP and the like, with commas; none for none",
        "to": "optOutKeywords"
      },
      {
        "kind": "commaWords",
        "shown": "--opt-in-keywords <words>",
        "help": "further ones beside START",
        "to": "optInKeywords"
      },
      {
        "kind": "commaWords",
        "shown": "--help-keywords <words>",
        "help": "further ones beside HELP",
        "to": "helpKeywords"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "configs list",
    "about": "List the MessagingConfigs.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Campaign": "{tcrCampaignId}",
          "Sending times": [
            "{sendingTimes|times}",
            "any"
          ],
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "account",
    "call": "messagingConfigs.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "configs show",
    "about": "Show a MessagingConfig.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Campaign": "{tcrCampaignId}",
          "Sending times": [
            "{sendingTimes|times}",
            "any"
          ],
          "Expiry in seconds": "{defaultExpirySeconds}",
          "Opt-out reply": "{optOutReply}",
          "Opt-in reply": "{optInReply}",
          "Help reply": "{helpReply}",
          "Opt-out keywords": "{optOutKeywords}",
          "Opt-in keywords": "{optInKeywords}",
          "Help keywords": "{helpKeywords}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "account",
    "call": "messagingConfigs.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "configs change",
    "about": "Change a MessagingConfig: only what is given.",
    "needs": "Say what to change; --help shows what can be.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Campaign": "{tcrCampaignId}",
          "Sending times": [
            "{sendingTimes|times}",
            "any"
          ],
          "Expiry in seconds": "{defaultExpirySeconds}",
          "Opt-out reply": "{optOutReply}",
          "Opt-in reply": "{optInReply}",
          "Help reply": "{helpReply}",
          "Opt-out keywords": "{optOutKeywords}",
          "Opt-in keywords": "{optInKeywords}",
          "Help keywords": "{helpKeywords}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "account",
    "call": "messagingConfigs.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--name <name>",
        "help": "its name",
        "to": "name",
        "kind": "text"
      },
      {
        "shown": "--campaign <id>",
        "help": "link this campaign; none unlinks it",
        "to": "tcrCampaignId",
        "kind": "textOrNone"
      },
      {
        "kind": "sendingTimes",
        "shown": "--sending-times <times>",
        "help": "\"Mon-Fri 09:00-20:00 America/New_York\", or any",
        "to": "sendingTimes"
      },
      {
        "shown": "--expiry <seconds>",
        "help": "how long a message waits to be sent",
        "to": "defaultExpirySeconds",
        "kind": "count"
      },
      {
        "shown": "--opt-out-reply <text>",
        "help": "the answer to STOP; none for the usual words",
        "to": "optOutReply",
        "kind": "textOrNone"
      },
      {
        "shown": "--opt-in-reply <text>",
        "help": "the answer to START",
        "to": "optInReply",
        "kind": "textOrNone"
      },
      {
        "shown": "--help-reply <text>",
        "help": "the answer to HELP",
        "to": "helpReply",
        "kind": "textOrNone"
      },
      {
        "kind": "commaWords",
        "shown": "--opt-out-keywords <words>",
        "help": "further ones beside STOP and the like, with commas; none for none",
        "to": "optOutKeywords"
      },
      {
        "kind": "commaWords",
        "shown": "--opt-in-keywords <words>",
        "help": "further ones beside START",
        "to": "optInKeywords"
      },
      {
        "kind": "commaWords",
        "shown": "--help-keywords <words>",
        "help": "further ones beside HELP",
        "to": "helpKeywords"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "configs delete",
    "about": "Delete a MessagingConfig that no numbers belong to.",
    "done": "deleted",
    "shows": [
      {
        "say": "{<sid>} is deleted."
      }
    ],
    "who": "account",
    "call": "messagingConfigs.remove",
    "takes": [
      "sid"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "configs numbers",
    "about": "List the numbers of a MessagingConfig.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Features": [
            "{features}",
            ""
          ]
        }
      }
    ],
    "who": "account",
    "call": "messagingConfigs.phones",
    "takes": [
      "sid"
    ],
    "answers": "pages",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "configs add-numbers",
    "about": "Add numbers to a MessagingConfig.",
    "shows": [
      {
        "titles": [
          "Number",
          "Outcome"
        ],
        "rows": {
          "success": [
            "{}",
            "done"
          ],
          "failed": [
            "{number}",
            "refused: {reason}"
          ]
        }
      }
    ],
    "failed": "failed",
    "who": "account",
    "call": "messagingConfigs.addPhones",
    "takes": [
      "sid",
      "phones"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<numbers...>",
        "help": "the numbers",
        "to": "phones",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "configs remove-numbers",
    "about": "Take numbers out of a MessagingConfig.",
    "shows": [
      {
        "titles": [
          "Number",
          "Outcome"
        ],
        "rows": {
          "success": [
            "{}",
            "done"
          ],
          "failed": [
            "{number}",
            "refused: {reason}"
          ]
        }
      }
    ],
    "failed": "failed",
    "who": "account",
    "call": "messagingConfigs.deletePhones",
    "takes": [
      "sid",
      "phones"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<numbers...>",
        "help": "the numbers",
        "to": "phones",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "campaigns list",
    "about": "List the campaigns.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "account",
    "call": "campaigns.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "campaigns show",
    "about": "Show a campaign, with what each mobile operator lets through.",
    "shows": [
      {
        "fields": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      },
      {
        "table": {
          "Operator": "{operator}",
          "Class": "{messageClass}",
          "SMS a minute": "{smsPerMinute}",
          "MMS a minute": "{mmsPerMinute}",
          "Tier": "{brandTier}"
        },
        "of": "throughput?"
      }
    ],
    "who": "account",
    "call": "campaigns.get",
    "takes": [
      "tcrCampaignId"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "campaigns link",
    "about": "Link a campaign to a MessagingConfig.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "account",
    "call": "campaigns.change",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      },
      {
        "kind": "text",
        "shown": "<config>",
        "help": "sid of the config",
        "to": "messagingConfigSid"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "campaigns unlink",
    "about": "Unlink a campaign from its MessagingConfig.",
    "sets": {
      "messagingConfigSid": null
    },
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "account",
    "call": "campaigns.change",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "campaigns migrations",
    "about": "List the migrations of campaigns, and what each waits for.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Status": "{status}",
          "Config": "{messagingConfigSid}",
          "Numbers": "{numberCounts|counts}",
          "In the way": "{blockers.code}"
        }
      }
    ],
    "who": "account",
    "call": "migrations.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "optouts list",
    "about": "List opt-outs, the newest first.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Scope": "{scopeType}",
          "Of": "{scope}",
          "Keyword": "{keyword}",
          "Since": "{createdOn}"
        }
      }
    ],
    "who": "account",
    "call": "optOuts.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--number <number>",
        "help": "of this number",
        "to": "number",
        "kind": "text"
      },
      {
        "with": {
          "scopeType": "SenderPhoneNumber"
        },
        "shown": "--from <number>",
        "help": "of messages from this number of yours",
        "to": "scope",
        "kind": "text"
      },
      {
        "with": {
          "scopeType": "TcrCampaign"
        },
        "conflicts": "from",
        "shown": "--campaign <id>",
        "help": "of messages of this campaign",
        "to": "scope",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "optouts add",
    "about": "Opt a number out.",
    "needs": "Say of whose messages: --from NUMBER, or --campaign ID.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Scope": "{scopeType}",
          "Of": "{scope}",
          "Keyword": "{keyword}",
          "Since": "{createdOn}"
        }
      }
    ],
    "unchanged": "It had opted out already.",
    "who": "account",
    "call": "optOuts.create",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "who does not want to hear from you",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      {
        "with": {
          "scopeType": "SenderPhoneNumber"
        },
        "shown": "--from <number>",
        "help": "of messages from this number of yours",
        "to": "scope",
        "kind": "text"
      },
      {
        "with": {
          "scopeType": "TcrCampaign"
        },
        "conflicts": "from",
        "shown": "--campaign <id>",
        "help": "of messages of this campaign",
        "to": "scope",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "optouts remove",
    "about": "Opt a number in again. Only if the person asked for it: they may write START themselves.",
    "needs": "Say of whose messages: --from NUMBER, or --campaign ID.",
    "done": "removed",
    "shows": [
      {
        "say": "{<number>} has opted in again."
      }
    ],
    "who": "account",
    "call": "optOuts.remove",
    "takes": [
      "body"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<number>",
        "help": "who wants to hear from you again",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      {
        "with": {
          "scopeType": "SenderPhoneNumber"
        },
        "shown": "--from <number>",
        "help": "of messages from this number of yours",
        "to": "scope",
        "kind": "text"
      },
      {
        "with": {
          "scopeType": "TcrCampaign"
        },
        "conflicts": "from",
        "shown": "--campaign <id>",
        "help": "of messages of this campaign",
        "to": "scope",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls list",
    "about": "List calls, the newest first.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "Direction": "{direction}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "End": "{endReason}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "account",
    "call": "calls.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Started, Ringing, Answered, Completed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Started",
          "Ringing",
          "Answered",
          "Completed"
        ]
      },
      {
        "shown": "--direction <direction>",
        "help": "Inbound, Outbound",
        "to": "direction",
        "kind": "oneOf",
        "words": [
          "Inbound",
          "Outbound"
        ]
      },
      {
        "shown": "--from <party>",
        "help": "from this number or SIP URI",
        "to": "from",
        "kind": "text"
      },
      {
        "shown": "--to <party>",
        "help": "to this number or SIP URI",
        "to": "to",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "calls recordings list",
    "about": "List the segments of a call's recording.",
    "only": "recordings",
    "lacks": "The call was not recorded.",
    "shows": [
      {
        "fields": {
          "Sid": "{recordings.sid}",
          "Status": "{recordings.status}",
          "Seconds": "{recordings.durationSeconds}"
        }
      },
      {
        "of": "recordings.segments",
        "table": {
          "Segment": "{index}",
          "Begun": "{startedOn}",
          "Seconds": "{durationSeconds}",
          "Octets": "{sizeBytes}",
          "SHA-256": "{sha256}"
        }
      }
    ],
    "who": "account",
    "call": "calls.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls hangup",
    "about": "Hang up a call.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "Direction": "{direction}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "End": "{endReason}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "account",
    "call": "calls.hangUp",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls redirect",
    "about": "Make a call under way go on with another program.",
    "needs": "Give --script or --script-url.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "Direction": "{direction}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "End": "{endReason}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "account",
    "call": "calls.redirect",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--script <xml>",
        "help": "the call script itself",
        "to": "script",
        "kind": "text"
      },
      {
        "conflicts": "script",
        "shown": "--script-url <url>",
        "help": "who is asked for it",
        "to": "scriptUrl",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls delete",
    "about": "Delete a call that has ended, with its recording.",
    "done": "deleted",
    "shows": [
      {
        "say": "{<sid>} is deleted."
      }
    ],
    "who": "account",
    "call": "calls.delete",
    "takes": [
      "sid"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls pause",
    "about": "Pause the recording of a call that is under way.",
    "sets": {
      "action": "Pause"
    },
    "shows": [
      {
        "say": "The recording of {<sid>} is paused."
      }
    ],
    "who": "account",
    "call": "calls.controlRecording",
    "takes": [
      "sid",
      "action"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls resume",
    "about": "Resume the recording of a call that is under way.",
    "sets": {
      "action": "Resume"
    },
    "shows": [
      {
        "say": "The recording of {<sid>} is resumed."
      }
    ],
    "who": "account",
    "call": "calls.controlRecording",
    "takes": [
      "sid",
      "action"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls why",
    "about": "Tell why a call went as it did: everything that was decided and happened, in order.",
    "shows": [
      {
        "print": [
          "{sid} is {status}: {endReason}",
          "{sid} is {status}"
        ]
      },
      {
        "print": "{summary.what} {summary.why}\n"
      },
      {
        "table": {
          "At": "{at}",
          "Step": "{step}",
          "Details": [
            "{details}",
            ""
          ]
        },
        "of": "steps"
      },
      {
        "say": "→ {summary.advice}"
      }
    ],
    "who": "account",
    "call": "calls.why",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls sip",
    "about": "Show the SIP messages of a call, in order. Credentials and keys are masked.",
    "shows": [
      {
        "lines": "── {at}  {direction} {direction|preposition} {peer} by {transport}, {leg} leg\n{text|lines}\n",
        "empty": "None were kept: TANDEM_SIP_TRACE says whether and how long they are."
      }
    ],
    "who": "account",
    "call": "calls.sipMessages",
    "takes": [
      "sid"
    ],
    "answers": "items",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "calls capture",
    "about": "Write the SIP messages of a call to a capture file, for Wireshark and the like.",
    "shows": [
      {
        "file": "{<sid>}.pcap",
        "text": ": {octets} octets"
      }
    ],
    "who": "account",
    "call": "calls.sipCapture",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "-o, --out <file>",
        "help": "where to; - is standard output, SID.pcap by default",
        "to": "out",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print what was written as JSON"
  },
  {
    "name": "conferences list",
    "about": "List conferences, the newest first.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": "{status}",
          "Begun": "{createdOn}",
          "End": "{endReason}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Waiting, InProgress, Completed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Waiting",
          "InProgress",
          "Completed"
        ]
      },
      {
        "shown": "--name <name>",
        "help": "of this name",
        "to": "name",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "conferences show",
    "about": "Show a conference with those who are in it.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": "{status}",
          "Begun": "{createdOn}",
          "Started": "{startedOn}",
          "End": "{endReason}"
        }
      },
      {
        "of": "participants",
        "table": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}",
          "Joined": "{joinedOn}"
        }
      },
      {
        "of": "recordings",
        "table": {
          "Recording": "{sid}",
          "Call": "{callSid}",
          "Status": "{status}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "conferences end",
    "about": "End a conference. The programs of its calls go on.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": "{status}",
          "Begun": "{createdOn}",
          "Started": "{startedOn}",
          "End": "{endReason}"
        }
      },
      {
        "of": "participants",
        "table": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}",
          "Joined": "{joinedOn}"
        }
      },
      {
        "of": "recordings",
        "table": {
          "Recording": "{sid}",
          "Call": "{callSid}",
          "Status": "{status}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.end",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "conferences mute",
    "about": "Let the others not hear a participant.",
    "sets": {
      "muted": true
    },
    "shows": [
      {
        "fields": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.change",
    "takes": [
      "sid",
      "callSid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<callSid>",
        "help": "the call that is in it",
        "to": "callSid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "conferences unmute",
    "about": "Let the others hear a participant again.",
    "sets": {
      "muted": false
    },
    "shows": [
      {
        "fields": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.change",
    "takes": [
      "sid",
      "callSid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<callSid>",
        "help": "the call that is in it",
        "to": "callSid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "conferences hold",
    "about": "Put a participant on hold: it hears music.",
    "sets": {
      "hold": true
    },
    "shows": [
      {
        "fields": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.change",
    "takes": [
      "sid",
      "callSid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<callSid>",
        "help": "the call that is in it",
        "to": "callSid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "conferences unhold",
    "about": "Bring a participant back from hold.",
    "sets": {
      "hold": false
    },
    "shows": [
      {
        "fields": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}"
        }
      }
    ],
    "who": "account",
    "call": "conferences.change",
    "takes": [
      "sid",
      "callSid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<callSid>",
        "help": "the call that is in it",
        "to": "callSid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "conferences remove",
    "about": "Remove a participant. The program of its call goes on.",
    "done": "removed",
    "shows": [
      {
        "say": "{<callSid>} is removed."
      }
    ],
    "who": "account",
    "call": "conferences.remove",
    "takes": [
      "sid",
      "callSid"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<callSid>",
        "help": "the call that is in it",
        "to": "callSid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "webhooks create",
    "about": "Send the events of some types to a URL. Prints the signing secret, which is shown this once.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      },
      {
        "print": "\nSigning secret, shown this once: {secret}"
      }
    ],
    "who": "account",
    "call": "webhooks.create",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<receiver>",
        "help": "the URL that gets them",
        "to": "url",
        "kind": "text"
      }
    ],
    "options": [
      {
        "kind": "eventTypes",
        "isRequired": true,
        "shown": "--type <type>",
        "help": "an event type; may be given several times. '*' is all but InboundCallReceivedWebhook, which must be named",
        "to": "types"
      },
      {
        "kind": "text",
        "shown": "--backup-url <url>",
        "help": "tried at once when the receiver fails",
        "to": "backupUrl"
      },
      {
        "kind": "text",
        "shown": "--phone <number>",
        "help": "only events of this number",
        "to": "phone"
      },
      {
        "kind": "text",
        "conflicts": "phone",
        "shown": "--config <sid>",
        "help": "only events of this MessagingConfig",
        "to": "messagingConfigSid"
      },
      {
        "kind": "text",
        "shown": "--bearer <token>",
        "help": "sent as Authorization: Bearer …",
        "to": "authorizationBearer"
      },
      {
        "shown": "--shape <shape>",
        "help": "of the payload: A, B or Twilio",
        "to": "payloadShape",
        "kind": "oneOf",
        "words": [
          "A",
          "B",
          "Twilio"
        ]
      },
      {
        "value": false,
        "shown": "--off",
        "help": "made, but not switched on",
        "to": "enabled",
        "kind": "yesOrNo"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "webhooks list",
    "about": "List the subscriptions.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      }
    ],
    "who": "account",
    "call": "webhooks.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "webhooks types",
    "about": "List the event types; with --json, each with a sample.",
    "shows": [
      {
        "lines": "{type}"
      }
    ],
    "who": "account",
    "call": "webhooks.types",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "webhooks show",
    "about": "Show a subscription.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      }
    ],
    "who": "account",
    "call": "webhooks.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the subscription",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "webhooks change",
    "about": "Change a subscription: only what is given.",
    "needs": "Say what to change: --receiver, --backup-url, --bearer or --shape.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      }
    ],
    "who": "account",
    "call": "webhooks.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the subscription",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--receiver <url>",
        "help": "the URL that gets the events",
        "to": "url",
        "kind": "text"
      },
      {
        "shown": "--backup-url <url>",
        "help": "tried at once when the receiver fails; none for none",
        "to": "backupUrl",
        "kind": "textOrNone"
      },
      {
        "shown": "--bearer <token>",
        "help": "sent as Authorization: Bearer …; none for none",
        "to": "authorizationBearer",
        "kind": "textOrNone"
      },
      {
        "shown": "--shape <shape>",
        "help": "of the payload: A, B or Twilio",
        "to": "payloadShape",
        "kind": "oneOf",
        "words": [
          "A",
          "B",
          "Twilio"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "webhooks enable",
    "about": "Switch a subscription on, also one that was switched off because its receiver failed for days.",
    "sets": {
      "enabled": true
    },
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      }
    ],
    "who": "account",
    "call": "webhooks.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the subscription",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "webhooks disable",
    "about": "Switch a subscription off. Events of that time are not delivered later; tandem events list has them.",
    "sets": {
      "enabled": false
    },
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      }
    ],
    "who": "account",
    "call": "webhooks.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the subscription",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "webhooks delete",
    "about": "Delete a subscription. What is still to be delivered by it is not.",
    "done": "deleted",
    "shows": [
      {
        "say": "{<sid>} is deleted."
      }
    ],
    "who": "account",
    "call": "webhooks.remove",
    "takes": [
      "sid"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the subscription",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "webhooks rotate",
    "about": "Make a new signing secret, shown this once. For 24 hours the old one signs, too.",
    "shows": [
      {
        "print": "Signing secret, shown this once: {secret}"
      }
    ],
    "who": "account",
    "call": "webhooks.rotateSecret",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the subscription",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "webhooks deliveries",
    "about": "List deliveries, the newest first.",
    "shows": [
      {
        "table": {
          "Made": "{createdOn}",
          "Sid": "{sid}",
          "Type": "{type}",
          "Resource": "{resourceSid}",
          "Status": "{status}",
          "Attempts": "{attemptCount}",
          "Last answer": "{attempts|last}",
          "Next attempt": "{nextAttemptOn}"
        }
      }
    ],
    "who": "account",
    "call": "deliveries.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Pending, Delivered, Failed, Canceled",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Pending",
          "Delivered",
          "Failed",
          "Canceled"
        ]
      },
      {
        "kind": "eventType",
        "shown": "--type <type>",
        "help": "of this event type",
        "to": "type"
      },
      {
        "shown": "--since <time>",
        "help": "made since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "made until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--webhook <sid>",
        "help": "of this subscription",
        "to": "subscriptionSid",
        "kind": "text"
      },
      {
        "shown": "--resource <sid>",
        "help": "about this message, call, …",
        "to": "resourceSid",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON with every attempt instead of a table"
  },
  {
    "name": "webhooks delivery",
    "about": "Show a delivery, with every attempt and what the receiver answered.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Type": "{type}",
          "Resource": "{resourceSid}",
          "Webhook": "{subscriptionSid}",
          "Status": "{status}",
          "Made": "{createdOn}",
          "Next attempt": "{nextAttemptOn}"
        }
      },
      {
        "table": {
          "At": "{at}",
          "Receiver": "{url}",
          "Result": [
            "{status}",
            "{failure}",
            "none"
          ],
          "Milliseconds": "{ms}",
          "Answer": "{answer}"
        },
        "of": "attempts"
      }
    ],
    "who": "account",
    "call": "deliveries.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the delivery",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "shows": [
      {
        "table": {
          "At": "{createdOn}",
          "Id": "{id}",
          "Type": "{type}",
          "Resource": "{resourceSid}",
          "Payload": [
            "{payload}",
            ""
          ]
        }
      }
    ],
    "name": "events list",
    "about": "List events, the newest first; with --after, the oldest first.",
    "who": "account",
    "call": "events.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "kind": "eventType",
        "shown": "--type <type>",
        "help": "of this type",
        "to": "type"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json",
      {
        "shown": "--after <id>",
        "help": "those after this event, the next one first",
        "to": "after",
        "kind": "text"
      }
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "requests list",
    "about": "List refused requests, the newest first.",
    "shows": [
      {
        "table": {
          "At": "{createdOn}",
          "Account?": "{accountSid}",
          "Operation": "{operation}",
          "Status": "{status}",
          "Code": "{code}",
          "Fault": "{fault}",
          "Request": "{requestId}"
        }
      }
    ],
    "who": "account",
    "call": "requests.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--request-id <id>",
        "help": "with this X-Request-Id, which every refusal shows",
        "to": "requestId",
        "kind": "text"
      },
      {
        "shown": "--trace-id <id>",
        "help": "with this traceId",
        "to": "traceId",
        "kind": "text"
      },
      {
        "kind": "refusalStatus",
        "shown": "--status <status>",
        "help": "with this HTTP status",
        "to": "status"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "requests show",
    "about": "Show what became of a request: what it made, and how it was refused.",
    "shows": [
      {
        "table": {
          "Made": "{kind}",
          "Sid": "{sid}",
          "Created": "{createdOn}",
          "Account?": "{accountSid}"
        },
        "of": "made?"
      },
      {
        "table": {
          "At": "{createdOn}",
          "Account?": "{accountSid}",
          "Operation": "{operation}",
          "Status": "{status}",
          "Code": "{code}",
          "Fault": "{fault}",
          "Request": "{requestId}"
        },
        "of": "refused?"
      }
    ],
    "who": "account",
    "call": "requests.get",
    "takes": [
      "requestId"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "its X-Request-Id, the traceId of a refusal, or the sid of what it made",
        "to": "requestId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "search",
    "about": "Find a number in any spelling, a sid, a request id, a name, or texts by their words.",
    "summary": "find a number, an id, a name or words of texts",
    "example": "tandem search bread --since 90d",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Since": "{createdOn}"
        },
        "of": "phones?"
      },
      {
        "table": {
          "MessagingConfig": "{sid}",
          "Name": "{name}"
        },
        "of": "configs?"
      },
      {
        "table": {
          "Message": "{sid}",
          "Created": "{createdOn}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "Text": "{text|short}"
        },
        "of": "messages?"
      },
      {
        "table": {
          "Call": "{sid}",
          "Created": "{createdOn}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "End": "{endReason}"
        },
        "of": "calls?"
      },
      {
        "table": {
          "Record": "{kind}",
          "Sid": "{sid}",
          "Created": "{createdOn}"
        },
        "of": "records?"
      },
      {
        "table": {
          "Refused": "{createdOn}",
          "Operation": "{operation}",
          "Status": "{status}",
          "Code": "{code}",
          "Request": "{requestId}"
        },
        "of": "refused?"
      },
      {
        "table": {
          "Text of": "{sid}",
          "Created": "{createdOn}",
          "From": "{from}",
          "To": "{to}",
          "Text": "{text|short}"
        },
        "of": "texts?"
      }
    ],
    "who": "account",
    "call": "search.find",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<text>",
        "help": "a number, a sid, a request id, a name, or words of texts",
        "to": "query",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "attention",
    "summary": "what needs somebody",
    "example": "tandem attention",
    "about": "List whatever stands still or fails, each with what to do about it.",
    "shows": [
      {
        "table": {
          "Severity": "{severity}",
          "Account?": "{accountSid}",
          "What": "{what}",
          "Why": "{why}",
          "What to do": "{advice}"
        },
        "of": "?",
        "empty": "Nothing needs anybody."
      }
    ],
    "who": "account",
    "call": "oversight.attention",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "traffic",
    "summary": "messages and calls by the minute",
    "example": "tandem traffic --minutes 10",
    "about": "Count messages and calls by the minute, the oldest first.",
    "shows": [
      {
        "table": {
          "Minute": "{at}",
          "Sent": "{sent}",
          "Delivered": "{delivered}",
          "Failed": "{failed}",
          "Received": "{received}",
          "Calls": "{calls}"
        }
      }
    ],
    "who": "account",
    "call": "oversight.traffic",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      {
        "default": 60,
        "shown": "--minutes <n>",
        "help": "how many, 1440 at most",
        "to": "minutes",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "statistics",
    "about": "Show how many messages, calls or webhook deliveries ended how, by the hour or the day.",
    "summary": "how many messages, calls and deliveries ended how",
    "example": "tandem statistics messages --step day",
    "shows": [
      {
        "table": {
          "From": "{from}",
          "Outcome": "{outcome}",
          "Carrier": "{carrier}",
          "Count": "{count}"
        },
        "empty": "Nothing in this time."
      }
    ],
    "who": "account",
    "call": "statistics.get",
    "takes": [
      "body"
    ],
    "answers": "items",
    "arguments": [
      {
        "shown": "<kind>",
        "help": "Messages, Calls, Deliveries",
        "to": "kind",
        "kind": "oneOf",
        "words": [
          "Messages",
          "Calls",
          "Deliveries"
        ]
      }
    ],
    "options": [
      {
        "shown": "--since <time>",
        "help": "from the hour or the day of then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "from",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "to the end of the hour or the day of then",
        "to": "to",
        "kind": "since"
      },
      {
        "shown": "--step <step>",
        "help": "Hour, Day",
        "to": "step",
        "kind": "oneOf",
        "words": [
          "Hour",
          "Day"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "sandbox settle",
    "about": "Let the carrier tell what became of a message.",
    "needs": "Say which: --delivered or --failed.",
    "shows": [
      {
        "say": [
          "{<delivered>?The carrier reports it as delivered.}",
          "The carrier reports it as failed."
        ]
      }
    ],
    "who": "account",
    "call": "sandbox.settleMessage",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--delivered",
        "help": "it arrived",
        "to": "deliveredSuccessfully",
        "kind": "yesOrNo"
      },
      {
        "value": false,
        "conflicts": "delivered",
        "shown": "--failed",
        "help": "it did not",
        "to": "deliveredSuccessfully",
        "kind": "yesOrNo"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "sandbox migrate",
    "about": "Let the owner of a campaign migrate it to your account in the registry.",
    "shows": [
      {
        "say": "The migration of {<id>} has begun."
      }
    ],
    "who": "account",
    "call": "sandbox.migrateCampaign",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign; made there if it is unknown",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      {
        "default": "accept",
        "shown": "--outcome <outcome>",
        "help": "accept, decline, expire, cancel",
        "to": "outcome",
        "kind": "oneOf",
        "words": [
          "accept",
          "decline",
          "expire",
          "cancel"
        ]
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "sandbox port",
    "about": "Let the losing carrier make up its mind about a port order.",
    "shows": [
      {
        "say": "The losing carrier has decided: {<outcome>}."
      }
    ],
    "who": "account",
    "call": "sandbox.decidePort",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "default": "complete",
        "shown": "--outcome <outcome>",
        "help": "complete, partial, reject, exception, delay, focChange, messagingLate, silent",
        "to": "outcome",
        "kind": "oneOf",
        "words": [
          "complete",
          "partial",
          "reject",
          "exception",
          "delay",
          "focChange",
          "messagingLate",
          "silent"
        ]
      },
      {
        "kind": "text",
        "shown": "--reason <code>",
        "help": "of a rejection or an exception, such as ENTITY_NAME_MISMATCH",
        "to": "reason"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts list",
    "about": "List the accounts.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": "{status}",
          "Features": "{features}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator accounts show",
    "about": "Show an account: status, features, limits, countries.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": [
            "{status}: {suspendedReason}",
            "{status}"
          ],
          "Features": "{features}",
          "Countries": [
            "{allowedCountries}",
            "{allowedCountries?}",
            "those of its numbers"
          ],
          "Country": "{country}",
          "Caller id": "{defaultCallerId}",
          "Keywords": [
            "{handlesKeywords?STOP, START and HELP are answered for it}",
            "it answers itself"
          ],
          "Messages kept": [
            "{messageDays} days",
            "for ever"
          ],
          "Calls kept": [
            "{callDays} days",
            "like all accounts'"
          ],
          "Events kept": [
            "{eventDays} days",
            "like all accounts'"
          ],
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator limits show",
    "about": "Show the limits of an account.",
    "only": "limits",
    "shows": [
      {
        "fields": {
          "Limit *": "limits"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator countries show",
    "about": "Show the countries of an account.",
    "only": "allowedCountries",
    "shows": [
      {
        "fields": {
          "Countries": [
            "{allowedCountries}",
            "{allowedCountries?none}",
            "those of its own numbers"
          ]
        }
      }
    ],
    "who": "operator",
    "call": "accounts.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator retention show",
    "about": "Show for how long records of an account are kept.",
    "shows": [
      {
        "fields": {
          "Messages": [
            "{messageDays} days",
            "for ever"
          ],
          "Calls": [
            "{callDays} days",
            "like all accounts'"
          ],
          "Events": [
            "{eventDays} days",
            "like all accounts'"
          ]
        }
      }
    ],
    "who": "operator",
    "call": "accounts.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts change",
    "about": "Change an account: only what is given.",
    "needs": "Say what to change: --name, --country, --caller-id or --keywords. There are tandem operator features, limits, countries and retention, too.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": [
            "{status}: {suspendedReason}",
            "{status}"
          ],
          "Features": "{features}",
          "Countries": [
            "{allowedCountries}",
            "{allowedCountries?}",
            "those of its numbers"
          ],
          "Country": "{country}",
          "Caller id": "{defaultCallerId}",
          "Keywords": [
            "{handlesKeywords?STOP, START and HELP are answered for it}",
            "it answers itself"
          ],
          "Messages kept": [
            "{messageDays} days",
            "for ever"
          ],
          "Calls kept": [
            "{callDays} days",
            "like all accounts'"
          ],
          "Events kept": [
            "{eventDays} days",
            "like all accounts'"
          ],
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--name <name>",
        "help": "for people",
        "to": "name",
        "kind": "text"
      },
      {
        "shown": "--country <letters>",
        "help": "numbers without a plus are read in it; none: that of its oldest number",
        "to": "country",
        "kind": "textOrNone"
      },
      {
        "shown": "--caller-id <number>",
        "help": "what its calls show unless told; none takes it away",
        "to": "defaultCallerId",
        "kind": "textOrNone"
      },
      {
        "shown": "--keywords <answer>",
        "help": "yes or no: answer STOP, START and HELP for it",
        "to": "handlesKeywords",
        "kind": "yesOrNo"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts suspend",
    "about": "Suspend an account: its requests are refused until it is resumed.",
    "sets": {
      "status": "Suspended"
    },
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": [
            "{status}: {suspendedReason}",
            "{status}"
          ],
          "Features": "{features}",
          "Countries": [
            "{allowedCountries}",
            "{allowedCountries?}",
            "those of its numbers"
          ],
          "Country": "{country}",
          "Caller id": "{defaultCallerId}",
          "Keywords": [
            "{handlesKeywords?STOP, START and HELP are answered for it}",
            "it answers itself"
          ],
          "Messages kept": [
            "{messageDays} days",
            "for ever"
          ],
          "Calls kept": [
            "{callDays} days",
            "like all accounts'"
          ],
          "Events kept": [
            "{eventDays} days",
            "like all accounts'"
          ],
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "kind": "text",
        "shown": "--reason <text>",
        "help": "shown in its refusals",
        "to": "suspendedReason"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts resume",
    "about": "Resume an account that was suspended.",
    "sets": {
      "status": "Active"
    },
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": [
            "{status}: {suspendedReason}",
            "{status}"
          ],
          "Features": "{features}",
          "Countries": [
            "{allowedCountries}",
            "{allowedCountries?}",
            "those of its numbers"
          ],
          "Country": "{country}",
          "Caller id": "{defaultCallerId}",
          "Keywords": [
            "{handlesKeywords?STOP, START and HELP are answered for it}",
            "it answers itself"
          ],
          "Messages kept": [
            "{messageDays} days",
            "for ever"
          ],
          "Calls kept": [
            "{callDays} days",
            "like all accounts'"
          ],
          "Events kept": [
            "{eventDays} days",
            "like all accounts'"
          ],
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator limits set",
    "about": "Set limits of an account; others stay as they are.",
    "only": "limits",
    "shows": [
      {
        "fields": {
          "Limit *": "limits"
        }
      }
    ],
    "who": "operator",
    "call": "accounts.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      },
      {
        "kind": "limits",
        "shown": "<limit...>",
        "help": "CLASS=REQUESTS/SECONDS; a class is one of lookup, lookupBatch, send, sendToRecipient, read, session, write, call, concurrentCalls, webhooks, weight",
        "to": "limits"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator countries set",
    "about": "Set the countries of an account.",
    "only": "allowedCountries",
    "shows": [
      {
        "fields": {
          "Countries": [
            "{allowedCountries}",
            "{allowedCountries?none}",
            "those of its own numbers"
          ]
        }
      }
    ],
    "who": "operator",
    "call": "accounts.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      },
      {
        "kind": "countries",
        "shown": "<countries...>",
        "help": "US CA GB, or own: those of its own numbers",
        "to": "allowedCountries"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator retention set",
    "about": "Set for how many days records of an account are kept. What is older is deleted for good.",
    "needs": "Say what is kept for how long: --messages, --calls or --events.",
    "shows": [
      {
        "fields": {
          "Messages": [
            "{messageDays} days",
            "for ever"
          ],
          "Calls": [
            "{callDays} days",
            "like all accounts'"
          ],
          "Events": [
            "{eventDays} days",
            "like all accounts'"
          ]
        }
      }
    ],
    "who": "operator",
    "call": "accounts.change",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--messages <days>",
        "help": "those that have left, failed or were received; none: for ever",
        "to": "messageDays",
        "kind": "countOrNone"
      },
      {
        "shown": "--calls <days>",
        "help": "with their recordings; none: like all accounts'",
        "to": "callDays",
        "kind": "countOrNone"
      },
      {
        "shown": "--events <days>",
        "help": "with deliveries and requests; none: like all accounts'",
        "to": "eventDays",
        "kind": "countOrNone"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts tokens create",
    "about": "Make a second token for an account, shown this once.",
    "shows": [
      {
        "print": "{token}"
      },
      {
        "say": "This is token {n}, shown this once: keep it."
      }
    ],
    "who": "operator",
    "call": "accounts.createToken",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--signs",
        "help": "the token signs what comes in Twilio's shape; it is stored encrypted",
        "to": "signs",
        "kind": "yesOrNo"
      },
      {
        "shown": "--tool-writes",
        "help": "tools of language models may write with the token",
        "to": "toolWrites",
        "kind": "yesOrNo"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts tokens promote",
    "about": "Let a signing token of an account sign from now on, and not the older one.",
    "done": "promoted",
    "shows": [
      {
        "say": "Token {<place>} of {<sid>} signs."
      }
    ],
    "who": "operator",
    "call": "accounts.promoteToken",
    "takes": [
      "sid",
      "n"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<place>",
        "help": "1 or 2",
        "to": "n",
        "kind": "count"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator accounts tokens delete",
    "about": "Delete a token of an account. What uses it is refused from then on.",
    "done": "deleted",
    "shows": [
      {
        "say": "Token {<place>} of {<sid>} is deleted."
      }
    ],
    "who": "operator",
    "call": "accounts.deleteToken",
    "takes": [
      "sid",
      "n"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the account",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "<place>",
        "help": "1 or 2",
        "to": "n",
        "kind": "count"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator features requests",
    "about": "List what accounts have asked for.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Account": "{accountSid}",
          "Feature": "{feature}",
          "Status": "{status}",
          "Asked for": "{createdOn}",
          "Decided": "{decidedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "featureRequests.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Open, Granted, Declined",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Open",
          "Granted",
          "Declined"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator features grant",
    "about": "Grant a request: the feature is switched on.",
    "sets": {
      "status": "Granted"
    },
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Account": "{accountSid}",
          "Feature": "{feature}",
          "Status": "{status}",
          "Asked for": "{createdOn}",
          "Decided": "{decidedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "featureRequests.decide",
    "takes": [
      "sid",
      "status"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the request",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator features decline",
    "about": "Decline a request.",
    "sets": {
      "status": "Declined"
    },
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Account": "{accountSid}",
          "Feature": "{feature}",
          "Status": "{status}",
          "Asked for": "{createdOn}",
          "Decided": "{decidedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "featureRequests.decide",
    "takes": [
      "sid",
      "status"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the request",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator tokens list",
    "about": "List the names and roles of operators' tokens.",
    "shows": [
      {
        "table": {
          "Name": "{name}",
          "Role": "{role}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "operator",
    "call": "tokens.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator tokens create",
    "about": "Make a token for an operator, shown this once. Its name stands in the audit log.",
    "shows": [
      {
        "print": "{token}"
      },
      {
        "say": "This is the token of {<name>}, who may {<role>|roleMay}. It is shown this once."
      }
    ],
    "who": "operator",
    "call": "tokens.create",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<name>",
        "help": "whose it is, such as ann@example.com",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      {
        "default": "admin",
        "shown": "--role <role>",
        "help": "admin does everything, support only reads",
        "to": "role",
        "kind": "oneOf",
        "words": [
          "admin",
          "support"
        ]
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator tokens delete",
    "about": "Delete an operator's token. What uses it is refused from then on.",
    "done": "deleted",
    "shows": [
      {
        "say": "The token of {<name>} is deleted."
      }
    ],
    "who": "operator",
    "call": "tokens.remove",
    "takes": [
      "name"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<name>",
        "help": "the token's name",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator audit list",
    "about": "List what operators did, the newest first.",
    "shows": [
      {
        "table": {
          "At": "{at}",
          "Operator": "{operator}",
          "Action": "{action}",
          "Subject": "{subject}",
          "Details": "{details}",
          "Request": "{requestId}"
        }
      }
    ],
    "who": "operator",
    "call": "auditLog.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--operator <name>",
        "help": "with this operator's token",
        "to": "operator",
        "kind": "text"
      },
      {
        "shown": "--subject <sid>",
        "help": "to this account, order, number, …",
        "to": "subject",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator support-link",
    "about": "Show which page of which account a link for support names.",
    "shows": [
      {
        "say": "{address} of {accountSid}"
      }
    ],
    "who": "operator",
    "call": "supportLinks.open",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the end of the link: SL…",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator changes list",
    "about": "List who changed what in the account, the newest first.",
    "shows": [
      {
        "table": {
          "At": "{createdOn}",
          "By": "{by}",
          "Token": "{token}",
          "Operation": "{operation}",
          "Resource": "{resource}",
          "Request": "{requestId}"
        }
      }
    ],
    "who": "view",
    "call": "changes.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--operation <id>",
        "help": "by this operation, such as deleteWebhook",
        "to": "operation",
        "kind": "text"
      },
      {
        "shown": "--resource <id>",
        "help": "of this sid, number or campaign",
        "to": "resource",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator overrides list",
    "about": "List the overrides.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Type": "{type}",
          "Status": "{status}",
          "Carrier": "{carrierName}",
          "Note": "{note}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "lookupOverrides.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator overrides show",
    "about": "Show the override of a number.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Type": "{type}",
          "Status": "{status}",
          "Carrier": "{carrierName}",
          "Note": "{note}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "lookupOverrides.get",
    "takes": [
      "number"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator overrides set",
    "about": "Say what lookups of a number answer.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Type": "{type}",
          "Status": "{status}",
          "Carrier": "{carrierName}",
          "Note": "{note}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "lookupOverrides.put",
    "takes": [
      "number",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      {
        "isRequired": true,
        "shown": "--type <type>",
        "help": "Unknown, Wireless, Landline, VoIP",
        "to": "type",
        "kind": "oneOf",
        "words": [
          "Unknown",
          "Wireless",
          "Landline",
          "VoIP"
        ]
      },
      {
        "isRequired": true,
        "shown": "--status <status>",
        "help": "whether it can be written to: Active, Inactive",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Active",
          "Inactive"
        ]
      },
      {
        "kind": "text",
        "shown": "--carrier <name>",
        "help": "its carrier",
        "to": "carrierName"
      },
      {
        "kind": "text",
        "shown": "--note <text>",
        "help": "why, for other operators",
        "to": "note"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator overrides delete",
    "about": "Take an override away.",
    "done": "deleted",
    "shows": [
      {
        "say": "Lookups of {<number>} answer what is known of it again."
      }
    ],
    "who": "operator",
    "call": "lookupOverrides.remove",
    "takes": [
      "number"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator inventory list",
    "about": "List the inventory.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Country": "{country}",
          "Features": [
            "{features}",
            ""
          ],
          "Added": "{createdOn}"
        }
      }
    ],
    "who": "operator",
    "call": "numbers.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator inventory add",
    "about": "Add numbers to the inventory; all or none.",
    "shows": [
      {
        "titles": [
          "Number",
          "Result"
        ],
        "rows": {
          "added": [
            "{}",
            "added"
          ],
          "alreadyHere": [
            "{}",
            "was here already"
          ]
        }
      }
    ],
    "who": "operator",
    "call": "numbers.add",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number...>",
        "help": "the numbers",
        "to": "numbers",
        "kind": "text"
      }
    ],
    "options": [
      "--json",
      {
        "shown": "--country <letters>",
        "help": "they are short codes of this country, such as US",
        "to": "country",
        "kind": "text"
      },
      {
        "shown": "--features <list>",
        "help": "SMS,MMS,VOICE; all unless told, of short codes all but VOICE",
        "to": "features",
        "kind": "someOf",
        "words": [
          "SMS",
          "MMS",
          "VOICE"
        ]
      }
    ],
    "json": "print JSON"
  },
  {
    "name": "operator inventory give",
    "about": "Give a number of the inventory to an account, as if the account had bought it.",
    "shows": [
      {
        "fields": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Port order": "{portOrderSid}",
          "Features": [
            "{features}",
            ""
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "numbers.assign",
    "takes": [
      "number",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "number",
        "kind": "text"
      },
      {
        "shown": "<account>",
        "help": "sid of the account",
        "to": "accountSid",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--name <name>",
        "help": "for people; none takes it away",
        "to": "name",
        "kind": "textOrNone"
      },
      {
        "shown": "--config <sid>",
        "help": "the MessagingConfig it belongs to; none takes it out",
        "to": "messagingConfigSid",
        "kind": "textOrNone"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator inventory remove",
    "about": "Take a number out of the inventory, unless it serves an account.",
    "done": "removed",
    "shows": [
      {
        "say": "{<number>} is out of the inventory."
      }
    ],
    "who": "operator",
    "call": "numbers.remove",
    "takes": [
      "number"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator numbers list",
    "about": "List the numbers of the account; removed ones only when --status asks for them.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Features": [
            "{features}",
            ""
          ]
        }
      }
    ],
    "who": "view",
    "call": "phones.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "PendingPortIn, PendingMessagingConfigAdd, PendingTcrCampaignAdd, PendingTcrCampaignChange, Active, Removed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "PendingPortIn",
          "PendingMessagingConfigAdd",
          "PendingTcrCampaignAdd",
          "PendingTcrCampaignChange",
          "Active",
          "Removed"
        ]
      },
      {
        "shown": "--config <sid>",
        "help": "that belong to this MessagingConfig",
        "to": "messagingConfigSid",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator numbers show",
    "about": "Show a number, and what it waits for if it is not active.",
    "shows": [
      {
        "fields": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Port order": "{portOrderSid}",
          "Features": [
            "{features}",
            ""
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      }
    ],
    "who": "view",
    "call": "phones.get",
    "takes": [
      "phone"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator numbers voice show",
    "about": "Show where the calls of a number go, and whether they are recorded.",
    "shows": [
      {
        "fields": {
          "Calls go to": [
            "{callsForwardedTo}",
            "what the inbound-call webhook says"
          ],
          "Recorded": [
            "{recordInboundCalls?yes, unless a script says otherwise}",
            "no, unless a script says otherwise"
          ]
        }
      }
    ],
    "who": "view",
    "call": "phones.voice",
    "takes": [
      "phone"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<number>",
        "help": "the number",
        "to": "phone",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator ports list",
    "about": "List the port orders.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Numbers": "{numbers|count}",
          "Config": "{messagingConfigSid}",
          "Reason": "{reason}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "operator",
    "call": "portOrders.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--account <sid>",
        "help": "of this account",
        "to": "accountSid",
        "kind": "text"
      },
      {
        "shown": "--status <status>",
        "help": "Submitted, Exception, FocConfirmed, Completed, PartiallyCompleted, Cancelled, Failed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Submitted",
          "Exception",
          "FocConfirmed",
          "Completed",
          "PartiallyCompleted",
          "Cancelled",
          "Failed"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator ports show",
    "about": "Show a port order, with how far each number has come.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "operator",
    "call": "portOrders.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator ports pins",
    "about": "Reveal the transfer PINs of a port order. The audit log tells that you have seen them.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "PIN": "{pin}"
        },
        "of": "pins"
      }
    ],
    "who": "operator",
    "call": "portOrders.revealPins",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator ports foc",
    "about": "Confirm the date at which the losing carrier lets go.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "operator",
    "call": "portOrders.confirmDate",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "[numbers...]",
        "help": "which numbers; all that can take it unless told",
        "to": "numbers",
        "kind": "text"
      }
    ],
    "options": [
      "--json",
      {
        "kind": "ahead",
        "isRequired": true,
        "shown": "--on <time>",
        "help": "in 30m, 2h, 3d, or 2026-01-31T14:00:00Z",
        "to": "on"
      }
    ],
    "json": "print JSON"
  },
  {
    "name": "operator ports complete",
    "about": "Say that numbers have moved.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "operator",
    "call": "portOrders.complete",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "[numbers...]",
        "help": "which numbers; all that can take it unless told",
        "to": "numbers",
        "kind": "text"
      }
    ],
    "options": [
      "--json",
      {
        "shown": "--halves <list>",
        "help": "what has moved: voice,messaging; both unless told",
        "to": "halves",
        "kind": "someOf",
        "words": [
          "voice",
          "messaging"
        ]
      }
    ],
    "json": "print JSON"
  },
  {
    "name": "operator ports reject",
    "about": "Say that numbers will not come.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "operator",
    "call": "portOrders.reject",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "[numbers...]",
        "help": "which numbers; all that can take it unless told",
        "to": "numbers",
        "kind": "text"
      }
    ],
    "options": [
      "--json",
      {
        "isRequired": true,
        "shown": "--reason <code>",
        "help": "such as ENTITY_NAME_MISMATCH",
        "to": "reason",
        "kind": "oneOf",
        "words": [
          "ACCOUNT_NUMBER_MISMATCH",
          "AUTH_PERSON_MISMATCH",
          "BTN_ATN_MISMATCH",
          "CANCELLED",
          "ENTITY_NAME_MISMATCH",
          "FOC_EXPIRED",
          "FOC_REJECTED",
          "LOCATION_MISMATCH",
          "LSR_PENDING",
          "MAIN_BTN_PORTING",
          "OSP_IRRESPONSIVE",
          "OTHER",
          "PASSCODE_PIN_INVALID",
          "PHONE_NUMBER_HAS_SPECIAL_FEATURE",
          "PHONE_NUMBER_MISMATCH",
          "PHONE_NUMBER_NOT_PORTABLE",
          "PORT_TYPE_INCORRECT",
          "PORTING_ORDER_SPLIT_REQUIRED",
          "POSTAL_CODE_MISMATCH",
          "RATE_CENTER_NOT_PORTABLE",
          "SV_CONFLICT",
          "SV_UNKNOWN_FAILURE"
        ]
      },
      {
        "shown": "--detail <text>",
        "help": "the same in words",
        "to": "detail",
        "kind": "text"
      }
    ],
    "json": "print JSON"
  },
  {
    "name": "operator ports exception",
    "about": "Ask the account to put something right: tandem port-in answer.",
    "shows": [
      {
        "fields": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Status": "{status}",
          "Reason": "{reason}",
          "Config": "{messagingConfigSid}",
          "Losing carrier": "{losingCarrier}",
          "Account number": "{accountNumber}",
          "Subscriber": "{subscriber.name} ({subscriber.type}), by {subscriber.authorizedPerson}",
          "Reference": "{customerReference}",
          "Documents": [
            "{documents.name}",
            ""
          ],
          "Submitted": [
            "{submitted?yes}",
            "not yet"
          ],
          "Created": "{createdOn}",
          "Updated": "{updatedOn}"
        }
      },
      {
        "table": {
          "Number": "{number}",
          "Status": "{status}",
          "Date": "{focOn}",
          "Voice moved": "{voiceMovedOn}",
          "Messaging moved": "{messagingMovedOn}",
          "Reason": "{reason}"
        },
        "of": "numbers"
      },
      {
        "say": "Its cancellation was asked for on {cancelRequestedOn}."
      },
      {
        "say": "The {refused.what} that was asked for last was not granted: {refused.reason}"
      },
      {
        "say": [
          "{status|isException}→ Answer it with another {answerWith|or}: tandem port-in answer {sid} …",
          "{status|isException}→ Answer it: tandem port-in answer {sid} …"
        ]
      }
    ],
    "who": "operator",
    "call": "portOrders.hold",
    "takes": [
      "sid",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the order",
        "to": "sid",
        "kind": "text"
      },
      {
        "shown": "[numbers...]",
        "help": "which numbers; all that can take it unless told",
        "to": "numbers",
        "kind": "text"
      }
    ],
    "options": [
      "--json",
      {
        "isRequired": true,
        "shown": "--reason <code>",
        "help": "such as ENTITY_NAME_MISMATCH",
        "to": "reason",
        "kind": "oneOf",
        "words": [
          "ACCOUNT_NUMBER_MISMATCH",
          "AUTH_PERSON_MISMATCH",
          "BTN_ATN_MISMATCH",
          "CANCELLED",
          "ENTITY_NAME_MISMATCH",
          "FOC_EXPIRED",
          "FOC_REJECTED",
          "LOCATION_MISMATCH",
          "LSR_PENDING",
          "MAIN_BTN_PORTING",
          "OSP_IRRESPONSIVE",
          "OTHER",
          "PASSCODE_PIN_INVALID",
          "PHONE_NUMBER_HAS_SPECIAL_FEATURE",
          "PHONE_NUMBER_MISMATCH",
          "PHONE_NUMBER_NOT_PORTABLE",
          "PORT_TYPE_INCORRECT",
          "PORTING_ORDER_SPLIT_REQUIRED",
          "POSTAL_CODE_MISMATCH",
          "RATE_CENTER_NOT_PORTABLE",
          "SV_CONFLICT",
          "SV_UNKNOWN_FAILURE"
        ]
      },
      {
        "shown": "--detail <text>",
        "help": "the same in words",
        "to": "detail",
        "kind": "text"
      }
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns list",
    "about": "List the campaigns.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--account <sid>",
        "help": "of this account",
        "to": "accountSid",
        "kind": "text"
      },
      {
        "shown": "--status <status>",
        "help": "Active, Suspended, Expired",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Active",
          "Suspended",
          "Expired"
        ]
      },
      {
        "shown": "--source <source>",
        "help": "Registry, or Manual: kept by hand",
        "to": "source",
        "kind": "oneOf",
        "words": [
          "Registry",
          "Manual"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator campaigns show",
    "about": "Show a campaign of any account, with what each mobile operator lets through.",
    "shows": [
      {
        "fields": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      },
      {
        "table": {
          "Operator": "{operator}",
          "Class": "{messageClass}",
          "SMS a minute": "{smsPerMinute}",
          "MMS a minute": "{mmsPerMinute}",
          "Tier": "{brandTier}"
        },
        "of": "throughput?"
      }
    ],
    "who": "operator",
    "call": "campaigns.get",
    "takes": [
      "tcrCampaignId"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns enter",
    "about": "Enter a campaign by hand, where no registry is connected. It is Active.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.enter",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      {
        "isRequired": true,
        "shown": "--brand <id>",
        "help": "the brand that it is registered for",
        "to": "tcrBrandId",
        "kind": "text"
      },
      {
        "isRequired": true,
        "shown": "--name <name>",
        "help": "for people",
        "to": "name",
        "kind": "text"
      },
      {
        "shown": "--account <sid>",
        "help": "whose it is; by default the one account's with a config that names it",
        "to": "accountSid",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns suspend",
    "about": "Suspend a campaign that is kept by hand: its numbers do not send.",
    "sets": {
      "status": "Suspended"
    },
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.change",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns expire",
    "about": "Say that a campaign that is kept by hand has ended.",
    "sets": {
      "status": "Expired"
    },
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.change",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns activate",
    "about": "Say that a campaign that is kept by hand is active again.",
    "sets": {
      "status": "Active"
    },
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.change",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns change",
    "about": "Change the name or brand of a campaign that is kept by hand.",
    "needs": "Say what to change: --name or --brand.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Status": "{status}",
          "Source": "{source}",
          "Account?": "{accountSid}",
          "Config": "{messagingConfigSid}",
          "Imported": "{importedOn}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.change",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      }
    ],
    "options": [
      {
        "shown": "--brand <id>",
        "help": "the brand that it is registered for",
        "to": "tcrBrandId",
        "kind": "text"
      },
      {
        "shown": "--name <name>",
        "help": "for people",
        "to": "name",
        "kind": "text"
      },
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator campaigns unassigned",
    "about": "List campaigns of the registry that wait for somebody to say whose they are.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Brand": "{tcrBrandId}",
          "Name": "{name}",
          "Standing": "{standing}",
          "Named by": "{namedBy}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.unassigned",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator campaigns assign",
    "about": "Say whose a campaign is: one that is here is moved, one of the registry may still be to come.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Name": "{name}",
          "Standing": "{standing}",
          "Account": "{<account>}"
        }
      }
    ],
    "who": "operator",
    "call": "campaigns.assign",
    "takes": [
      "tcrCampaignId",
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "the campaign",
        "to": "tcrCampaignId",
        "kind": "text"
      },
      {
        "shown": "<account>",
        "help": "sid of the account",
        "to": "accountSid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator configs list",
    "about": "List the MessagingConfigs.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Campaign": "{tcrCampaignId}",
          "Sending times": [
            "{sendingTimes|times}",
            "any"
          ],
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "view",
    "call": "messagingConfigs.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator configs show",
    "about": "Show a MessagingConfig.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Campaign": "{tcrCampaignId}",
          "Sending times": [
            "{sendingTimes|times}",
            "any"
          ],
          "Expiry in seconds": "{defaultExpirySeconds}",
          "Opt-out reply": "{optOutReply}",
          "Opt-in reply": "{optInReply}",
          "Help reply": "{helpReply}",
          "Opt-out keywords": "{optOutKeywords}",
          "Opt-in keywords": "{optInKeywords}",
          "Help keywords": "{helpKeywords}",
          "Created": "{createdOn}"
        }
      }
    ],
    "who": "view",
    "call": "messagingConfigs.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator configs numbers",
    "about": "List the numbers of a MessagingConfig.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Name": "{name}",
          "Status": "{status}",
          "Reason": "{statusReason}",
          "Config": "{messagingConfigSid}",
          "Features": [
            "{features}",
            ""
          ]
        }
      }
    ],
    "who": "view",
    "call": "messagingConfigs.phones",
    "takes": [
      "sid"
    ],
    "answers": "pages",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the config",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator campaigns migrations",
    "about": "List the migrations of campaigns, and what each waits for.",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Status": "{status}",
          "Config": "{messagingConfigSid}",
          "Numbers": "{numberCounts|counts}",
          "In the way": "{blockers.code}"
        }
      }
    ],
    "who": "view",
    "call": "migrations.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator links list",
    "about": "List the links and how they fare. One process keeps them all; others answer what it told last.",
    "shows": [
      {
        "table": {
          "Link": "{name}",
          "Carrier": "{carrier}",
          "Kind": "{kind}",
          "State": [
            "{state}{stoppedOn?, stopped by the operator}",
            "{state}"
          ],
          "Since": "{since}",
          "Takes now": "{room}",
          "Reason": "{reason!}"
        }
      }
    ],
    "who": "operator",
    "call": "links.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator links stop",
    "about": "Stop a link until it is started, also over a restart. Messages take other links, or wait.",
    "shows": [
      {
        "say": "{<name>} is stopped since {stoppedOn}."
      }
    ],
    "who": "operator",
    "call": "links.stop",
    "takes": [
      "name"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<name>",
        "help": "the link",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator links start",
    "about": "Start a link that was stopped.",
    "shows": [
      {
        "say": "{<name>} is started."
      }
    ],
    "who": "operator",
    "call": "links.start",
    "takes": [
      "name"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<name>",
        "help": "the link",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator optouts list",
    "about": "List opt-outs, the newest first.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Scope": "{scopeType}",
          "Of": "{scope}",
          "Keyword": "{keyword}",
          "Since": "{createdOn}"
        }
      }
    ],
    "who": "view",
    "call": "optOuts.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--number <number>",
        "help": "of this number",
        "to": "number",
        "kind": "text"
      },
      {
        "with": {
          "scopeType": "SenderPhoneNumber"
        },
        "shown": "--from <number>",
        "help": "of messages from this number of yours",
        "to": "scope",
        "kind": "text"
      },
      {
        "with": {
          "scopeType": "TcrCampaign"
        },
        "conflicts": "from",
        "shown": "--campaign <id>",
        "help": "of messages of this campaign",
        "to": "scope",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator messages list",
    "about": "List sent messages, the newest first.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{recipients}",
            ""
          ],
          "Status": "{status}",
          "Error": "{errorCode!}",
          "Segments": "{segmentCount}",
          "Text": "{text|short}"
        }
      }
    ],
    "who": "view",
    "call": "messages.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--from <number>",
        "help": "from this number",
        "to": "from",
        "kind": "text"
      },
      {
        "shown": "--to <number>",
        "help": "to this number",
        "to": "to",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--status <status>",
        "help": "Queued, Sent, Delivered, Failed, Expired, Canceled",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Queued",
          "Sent",
          "Delivered",
          "Failed",
          "Expired",
          "Canceled"
        ]
      },
      {
        "kind": "errorCode",
        "shown": "--error-code <code>",
        "help": "with this error; 0 is none",
        "to": "errorCode"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{recipients}",
            ""
          ],
          "Status": [
            "{status} ({statusReason})",
            "{status}"
          ],
          "Error": [
            "{errorCode!}: {errorDescription}",
            "{errorCode!}"
          ],
          "Created": "{createdOn}",
          "Send at": "{sendAt}",
          "Sent": "{sentOn}",
          "Delivered": "{deliveredOn}",
          "Expires": "{expiresOn}",
          "Segments": "{segmentCount} ({encoding})",
          "Priority": "{priority}",
          "Carrier": "{carrier}",
          "Config": "{messagingConfigSid}",
          "Campaign": "{tcrCampaignId}",
          "Media": "{mediaUrls|spaced}",
          "Text": "{text}"
        }
      },
      {
        "say": "→ {errorCode|advice}"
      }
    ],
    "who": "view",
    "call": "messages.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message: OM… or IM…",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator messages why",
    "about": "Tell why a message did or did not arrive: everything that was decided and happened, in order.",
    "shows": [
      {
        "print": [
          "{sid} is {status}, error {errorCode!}",
          "{sid} is {status}"
        ]
      },
      {
        "print": "{summary.what} {summary.why}\n"
      },
      {
        "table": {
          "At": "{at}",
          "Step": "{step}",
          "Details": [
            "{details}",
            ""
          ]
        },
        "of": "steps"
      },
      {
        "say": "→ {summary.advice}"
      }
    ],
    "who": "view",
    "call": "messages.why",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator messages inbound",
    "about": "List received messages, the newest first.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "From": "{from}",
          "To": "{to}",
          "Segments": "{segmentCount}",
          "Text": "{text|short}"
        }
      }
    ],
    "who": "view",
    "call": "messages.inbound.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--from <number>",
        "help": "from this number",
        "to": "from",
        "kind": "text"
      },
      {
        "shown": "--to <number>",
        "help": "to this number",
        "to": "to",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
    "sids": "IM",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "From": "{from}",
          "To": [
            "{to}, {additionalRecipients}",
            "{to}"
          ],
          "Created": "{createdOn}",
          "Segments": "{segmentCount}",
          "Metadata": "{conversationMetadata}",
          "Media": "{mediaUrls|spaced}",
          "Text": "{text}"
        }
      }
    ],
    "who": "view",
    "call": "messages.inbound.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the message: OM… or IM…",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator trunks list",
    "about": "List the trunks and how they fare, over all nodes.",
    "shows": [
      {
        "table": {
          "Trunk": "{name}",
          "State": [
            "stopped by the operator since {stoppedOn}",
            "{isUp?up}",
            "down"
          ],
          "Calls": "{calls}",
          "Registration": [
            "{registration.isUp?registered}: {registration.reason}",
            "not registered: {registration.reason}"
          ],
          "Reason": "{reason!}"
        }
      }
    ],
    "who": "operator",
    "call": "trunks.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator trunks stop",
    "about": "Stop a trunk until it is started, also over a restart. Calls that are under way go on.",
    "shows": [
      {
        "say": "{<name>} is stopped since {stoppedOn}."
      }
    ],
    "who": "operator",
    "call": "trunks.stop",
    "takes": [
      "name"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<name>",
        "help": "the trunk",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator trunks start",
    "about": "Start a trunk that was stopped.",
    "shows": [
      {
        "say": "{<name>} is started."
      }
    ],
    "who": "operator",
    "call": "trunks.start",
    "takes": [
      "name"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<name>",
        "help": "the trunk",
        "to": "name",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator recordings list",
    "about": "List recordings with which something went wrong.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Account": "{accountSid}",
          "Call": "{callSid}",
          "Status": "{status}",
          "Fault": "{fault}",
          "Segments": "{segments|states}"
        }
      }
    ],
    "who": "operator",
    "call": "recordings.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator recordings retry",
    "about": "Make the files of a failed recording after all.",
    "done": "retried",
    "shows": [
      {
        "say": "{<sid>} is tried again."
      }
    ],
    "who": "operator",
    "call": "recordings.retry",
    "takes": [
      "sid"
    ],
    "answers": "nothing",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the recording",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator calls list",
    "about": "List calls, the newest first.",
    "shows": [
      {
        "table": {
          "Created": "{createdOn}",
          "Sid": "{sid}",
          "Direction": "{direction}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "End": "{endReason}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "view",
    "call": "calls.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Started, Ringing, Answered, Completed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Started",
          "Ringing",
          "Answered",
          "Completed"
        ]
      },
      {
        "shown": "--direction <direction>",
        "help": "Inbound, Outbound",
        "to": "direction",
        "kind": "oneOf",
        "words": [
          "Inbound",
          "Outbound"
        ]
      },
      {
        "shown": "--from <party>",
        "help": "from this number or SIP URI",
        "to": "from",
        "kind": "text"
      },
      {
        "shown": "--to <party>",
        "help": "to this number or SIP URI",
        "to": "to",
        "kind": "text"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator calls why",
    "about": "Tell why a call went as it did: everything that was decided and happened, in order.",
    "shows": [
      {
        "print": [
          "{sid} is {status}: {endReason}",
          "{sid} is {status}"
        ]
      },
      {
        "print": "{summary.what} {summary.why}\n"
      },
      {
        "table": {
          "At": "{at}",
          "Step": "{step}",
          "Details": [
            "{details}",
            ""
          ]
        },
        "of": "steps"
      },
      {
        "say": "→ {summary.advice}"
      }
    ],
    "who": "view",
    "call": "calls.why",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator calls sip",
    "about": "Show the SIP messages of a call, in order. Credentials and keys are masked.",
    "shows": [
      {
        "lines": "── {at}  {direction} {direction|preposition} {peer} by {transport}, {leg} leg\n{text|lines}\n",
        "empty": "None were kept: TANDEM_SIP_TRACE says whether and how long they are."
      }
    ],
    "who": "view",
    "call": "calls.sipMessages",
    "takes": [
      "sid"
    ],
    "answers": "items",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the call",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator conferences list",
    "about": "List conferences, the newest first.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": "{status}",
          "Begun": "{createdOn}",
          "End": "{endReason}"
        }
      }
    ],
    "who": "view",
    "call": "conferences.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Waiting, InProgress, Completed",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Waiting",
          "InProgress",
          "Completed"
        ]
      },
      {
        "shown": "--name <name>",
        "help": "of this name",
        "to": "name",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator conferences show",
    "about": "Show a conference with those who are in it.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Name": "{name}",
          "Status": "{status}",
          "Begun": "{createdOn}",
          "Started": "{startedOn}",
          "End": "{endReason}"
        }
      },
      {
        "of": "participants",
        "table": {
          "Call": "{callSid}",
          "Label": "{label}",
          "Muted": "{muted}",
          "On hold": "{hold}",
          "Joined": "{joinedOn}"
        }
      },
      {
        "of": "recordings",
        "table": {
          "Recording": "{sid}",
          "Call": "{callSid}",
          "Status": "{status}",
          "Seconds": "{durationSeconds}"
        }
      }
    ],
    "who": "view",
    "call": "conferences.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the conference",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator routes list",
    "about": "List the routes in the order in which they are tried: the first that fits decides.",
    "isDefault": true,
    "shows": [
      {
        "table": {
          "Route": "{name}",
          "Kind": "{kind}",
          "From": [
            "{senders|spaced}",
            "any"
          ],
          "To": [
            "{destinations|spaced}",
            "any"
          ],
          "Recipient's carrier": [
            "{carriers}",
            "any"
          ],
          "Goes by": [
            "{ways|ways}",
            "no link: messages wait"
          ]
        }
      }
    ],
    "who": "operator",
    "call": "routes.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator webhooks list",
    "about": "List the subscriptions of all accounts; --enabled no finds those that were switched off, and why.",
    "shows": [
      {
        "table": {
          "Account?": "{accountSid}",
          "Sid": "{sid}",
          "Types": [
            "{types}",
            ""
          ],
          "Receiver": [
            "{url}, else {backupUrl}",
            "{url}"
          ],
          "For": [
            "{phone}",
            "{messagingConfigSid}",
            "everything"
          ],
          "Shape": "{payloadShape}",
          "State": [
            "{enabled?on}",
            "off: {disabledReason}",
            "off"
          ],
          "Last success": "{lastSuccessOn}"
        }
      }
    ],
    "who": "operator",
    "call": "webhooks.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--account <sid>",
        "help": "of this account",
        "to": "accountSid",
        "kind": "text"
      },
      {
        "kind": "yesOrNo",
        "shown": "--enabled <answer>",
        "help": "yes or no",
        "to": "enabled"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "shows": [
      {
        "table": {
          "At": "{createdOn}",
          "Id": "{id}",
          "Type": "{type}",
          "Resource": "{resourceSid}",
          "Payload": [
            "{payload}",
            ""
          ]
        }
      }
    ],
    "name": "operator events list",
    "about": "List events of all accounts or of one, the newest first.",
    "who": "operator",
    "call": "events.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "kind": "eventType",
        "shown": "--type <type>",
        "help": "of this type",
        "to": "type"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table",
    "ofAccount": "events.list"
  },
  {
    "name": "operator webhooks deliveries",
    "about": "List deliveries, the newest first.",
    "shows": [
      {
        "table": {
          "Made": "{createdOn}",
          "Sid": "{sid}",
          "Type": "{type}",
          "Resource": "{resourceSid}",
          "Status": "{status}",
          "Attempts": "{attemptCount}",
          "Last answer": "{attempts|last}",
          "Next attempt": "{nextAttemptOn}"
        }
      }
    ],
    "who": "view",
    "call": "deliveries.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--status <status>",
        "help": "Pending, Delivered, Failed, Canceled",
        "to": "status",
        "kind": "oneOf",
        "words": [
          "Pending",
          "Delivered",
          "Failed",
          "Canceled"
        ]
      },
      {
        "kind": "eventType",
        "shown": "--type <type>",
        "help": "of this event type",
        "to": "type"
      },
      {
        "shown": "--since <time>",
        "help": "made since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "made until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--webhook <sid>",
        "help": "of this subscription",
        "to": "subscriptionSid",
        "kind": "text"
      },
      {
        "shown": "--resource <sid>",
        "help": "about this message, call, …",
        "to": "resourceSid",
        "kind": "text"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON with every attempt instead of a table"
  },
  {
    "name": "operator webhooks delivery",
    "about": "Show a delivery, with every attempt and what the receiver answered.",
    "shows": [
      {
        "fields": {
          "Sid": "{sid}",
          "Type": "{type}",
          "Resource": "{resourceSid}",
          "Webhook": "{subscriptionSid}",
          "Status": "{status}",
          "Made": "{createdOn}",
          "Next attempt": "{nextAttemptOn}"
        }
      },
      {
        "table": {
          "At": "{at}",
          "Receiver": "{url}",
          "Result": [
            "{status}",
            "{failure}",
            "none"
          ],
          "Milliseconds": "{ms}",
          "Answer": "{answer}"
        },
        "of": "attempts"
      }
    ],
    "who": "view",
    "call": "deliveries.get",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the delivery",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator requests list",
    "about": "List refused requests, the newest first.",
    "shows": [
      {
        "table": {
          "At": "{createdOn}",
          "Account?": "{accountSid}",
          "Operation": "{operation}",
          "Status": "{status}",
          "Code": "{code}",
          "Fault": "{fault}",
          "Request": "{requestId}"
        }
      }
    ],
    "who": "operator",
    "call": "requests.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      {
        "shown": "--request-id <id>",
        "help": "with this X-Request-Id, which every refusal shows",
        "to": "requestId",
        "kind": "text"
      },
      {
        "shown": "--trace-id <id>",
        "help": "with this traceId",
        "to": "traceId",
        "kind": "text"
      },
      {
        "kind": "refusalStatus",
        "shown": "--status <status>",
        "help": "with this HTTP status",
        "to": "status"
      },
      {
        "shown": "--since <time>",
        "help": "since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "createdOnFrom",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "until then",
        "to": "createdOnTo",
        "kind": "since"
      },
      {
        "shown": "--limit <n>",
        "help": "so many at most",
        "to": "limit",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table",
    "ofAccount": "requests.list"
  },
  {
    "name": "operator requests show",
    "about": "Show what became of a request: what it made, and how it was refused.",
    "shows": [
      {
        "table": {
          "Made": "{kind}",
          "Sid": "{sid}",
          "Created": "{createdOn}",
          "Account?": "{accountSid}"
        },
        "of": "made?"
      },
      {
        "table": {
          "At": "{createdOn}",
          "Account?": "{accountSid}",
          "Operation": "{operation}",
          "Status": "{status}",
          "Code": "{code}",
          "Fault": "{fault}",
          "Request": "{requestId}"
        },
        "of": "refused?"
      }
    ],
    "who": "operator",
    "call": "requests.get",
    "takes": [
      "requestId"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<id>",
        "help": "its X-Request-Id, the traceId of a refusal, or the sid of what it made",
        "to": "requestId",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON",
    "ofAccount": "requests.get"
  },
  {
    "name": "operator search",
    "about": "Find what a caller can name, over all accounts: a number in any spelling, a sid, a request id, or an account by its name.",
    "summary": "find a number, a sid, a request id or a name over all accounts",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Account": "{accountSid}",
          "Status": "{status}",
          "Since": "{createdOn}"
        },
        "of": "phones?"
      },
      {
        "table": {
          "Account": "{name}",
          "Sid": "{sid}",
          "Status": "{status}"
        },
        "of": "accounts?"
      },
      {
        "table": {
          "Message": "{sid}",
          "Account": "{accountName}",
          "Created": "{createdOn}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}"
        },
        "of": "messages?"
      },
      {
        "table": {
          "Call": "{sid}",
          "Account": "{accountName}",
          "Created": "{createdOn}",
          "From": "{from}",
          "To": "{to}",
          "Status": "{status}",
          "End": "{endReason}"
        },
        "of": "calls?"
      },
      {
        "table": {
          "Record": "{kind}",
          "Sid": "{sid}",
          "Account": "{accountName}",
          "Created": "{createdOn}"
        },
        "of": "records?"
      },
      {
        "table": {
          "Refused": "{createdOn}",
          "Account": "{accountSid}",
          "Operation": "{operation}",
          "Status": "{status}",
          "Code": "{code}",
          "Request": "{requestId}"
        },
        "of": "refused?"
      }
    ],
    "who": "operator",
    "call": "search.find",
    "takes": [
      "body"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<text>",
        "help": "a number, a sid, a request id, or words of an account's name",
        "to": "query",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator numbers find",
    "about": "Show whose a number is, and whose it was.",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "Account": "{accountSid}",
          "Status": "{status}",
          "Since": "{createdOn}"
        },
        "empty": "No account has it, or had it."
      }
    ],
    "who": "operator",
    "call": "phones.find",
    "takes": [
      "body"
    ],
    "answers": "items",
    "arguments": [
      {
        "shown": "<number>",
        "help": "in any spelling",
        "to": "number",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator attention",
    "summary": "what needs somebody, of all accounts and the service",
    "about": "List whatever stands still or fails, of all accounts and the service itself.",
    "shows": [
      {
        "table": {
          "Severity": "{severity}",
          "Account?": "{accountSid}",
          "What": "{what}",
          "Why": "{why}",
          "What to do": "{advice}"
        },
        "of": "?",
        "empty": "Nothing needs anybody."
      }
    ],
    "who": "operator",
    "call": "oversight.attention",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
    "ofAccount": "oversight.attention"
  },
  {
    "name": "operator traffic",
    "summary": "messages and calls by the minute",
    "example": "tandem traffic --minutes 10",
    "about": "Count messages and calls by the minute, the oldest first.",
    "shows": [
      {
        "table": {
          "Minute": "{at}",
          "Sent": "{sent}",
          "Delivered": "{delivered}",
          "Failed": "{failed}",
          "Received": "{received}",
          "Calls": "{calls}"
        }
      }
    ],
    "who": "view",
    "call": "oversight.traffic",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      {
        "default": 60,
        "shown": "--minutes <n>",
        "help": "how many, 1440 at most",
        "to": "minutes",
        "kind": "count"
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator statistics",
    "about": "Show how many messages, calls or webhook deliveries ended how, by the hour or the day.",
    "summary": "how many messages, calls and deliveries ended how",
    "example": "tandem statistics messages --step day",
    "shows": [
      {
        "table": {
          "From": "{from}",
          "Outcome": "{outcome}",
          "Carrier": "{carrier}",
          "Count": "{count}"
        },
        "empty": "Nothing in this time."
      }
    ],
    "who": "view",
    "call": "statistics.get",
    "takes": [
      "body"
    ],
    "answers": "items",
    "arguments": [
      {
        "shown": "<kind>",
        "help": "Messages, Calls, Deliveries",
        "to": "kind",
        "kind": "oneOf",
        "words": [
          "Messages",
          "Calls",
          "Deliveries"
        ]
      }
    ],
    "options": [
      {
        "shown": "--since <time>",
        "help": "from the hour or the day of then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z",
        "to": "from",
        "kind": "since"
      },
      {
        "shown": "--until <time>",
        "help": "to the end of the hour or the day of then",
        "to": "to",
        "kind": "since"
      },
      {
        "shown": "--step <step>",
        "help": "Hour, Day",
        "to": "step",
        "kind": "oneOf",
        "words": [
          "Hour",
          "Day"
        ]
      },
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator nodes list",
    "about": "List the processes that serve the database, and what each holds.",
    "shows": [
      {
        "table": {
          "Sid": "{sid}",
          "Host": "{host}",
          "Version": "{version}",
          "Roles": "{roles}",
          "State": "{state}",
          "Leases": "{leases}",
          "Calls": "{calls}",
          "Since": "{startedOn}",
          "Clock": "{clock}"
        }
      }
    ],
    "who": "operator",
    "call": "nodes.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  },
  {
    "name": "operator nodes drain",
    "about": "Drain a process: it lets its calls and requests end, hands over the rest, and ends.",
    "shows": [
      {
        "say": "{<sid>} is to drain since {drainAskedOn}."
      }
    ],
    "who": "operator",
    "call": "nodes.drain",
    "takes": [
      "sid"
    ],
    "answers": "one",
    "arguments": [
      {
        "shown": "<sid>",
        "help": "the node",
        "to": "sid",
        "kind": "text"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON"
  },
  {
    "name": "operator reconciles list",
    "about": "List the last run of each reconcile.",
    "shows": [
      {
        "table": {
          "Name": "{name}",
          "Begun": "{startedOn}",
          "Ended": "{finishedOn}",
          "Outcome": "{outcome}",
          "Details": "{details}"
        }
      }
    ],
    "who": "operator",
    "call": "reconciles.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table"
  }
];
