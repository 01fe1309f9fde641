// The plain commands, from the operations that they call: npm run generate. Not written by hand.

import type { PlainCommand } from "../base/plain-command.ts";

export const PLAIN_COMMANDS: readonly PlainCommand[] = [
  {
    "name": "messages list",
    "about": "List sent messages, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "messages cancel",
    "about": "Cancel a message that has not left yet.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "messages why",
    "about": "Tell why a message did or did not arrive: everything that was decided and happened, in order.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "messages inbound",
    "about": "List received messages, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
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
    "json": "print JSON",
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
    "sids": "IM"
  },
  {
    "name": "account show",
    "about": "Show the account: features, limits, and what others have to know of it.",
    "who": "account",
    "call": "account.get",
    "takes": [],
    "answers": "one",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON",
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
    "isDefault": true
  },
  {
    "name": "account tokens create",
    "about": "Make a second token, shown this once. Spread it, then delete the first.",
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
    "json": "print JSON",
    "shows": [
      {
        "print": "{token}"
      },
      {
        "say": "This is token {n}, shown this once: keep it."
      }
    ]
  },
  {
    "name": "account tokens promote",
    "about": "Let a signing token sign from now on, and not the older one.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "Token {<place>} signs."
      }
    ],
    "done": "promoted"
  },
  {
    "name": "account tokens delete",
    "about": "Delete a token. What uses it is refused from then on.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "Token {<place>} is deleted."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "account rotate-secret",
    "about": "Make a new secret for callbacks that messages bring along, shown this once. For 24 hours the old one signs, too.",
    "who": "account",
    "call": "account.rotateWebhookSecret",
    "takes": [],
    "answers": "one",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON",
    "shows": [
      {
        "print": "Signing secret, shown this once: {secret}"
      }
    ]
  },
  {
    "name": "account request-feature",
    "about": "Ask the operator to switch a feature on.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{sid}: {<feature>} was asked for, and is {status}."
      }
    ]
  },
  {
    "name": "numbers list",
    "about": "List the numbers of the account; removed ones only when --status asks for them.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "numbers available",
    "about": "List numbers that can be had.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "numbers buy",
    "about": "Take a number that can be had.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "numbers show",
    "about": "Show a number, and what it waits for if it is not active.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "numbers configure",
    "about": "Change what a number is called or belongs to.",
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
    "json": "print JSON",
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
    "needs": "Say what to change: --name or --config."
  },
  {
    "name": "numbers voice show",
    "about": "Show where the calls of a number go, and whether they are recorded.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "numbers voice set",
    "about": "Say where the calls of a number go, and whether they are recorded: only what is given changes.",
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
    "json": "print JSON",
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
    "needs": "Say what to change: --forward-to or --record."
  },
  {
    "name": "port-in list",
    "about": "List the port orders.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "port-in show",
    "about": "Show a port order, with how far each number has come.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "port-in cancel",
    "about": "Cancel a port order, for the numbers of which nothing has moved.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "configs create",
    "about": "Make a MessagingConfig.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "configs list",
    "about": "List the MessagingConfigs.",
    "who": "account",
    "call": "messagingConfigs.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "configs show",
    "about": "Show a MessagingConfig.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "configs change",
    "about": "Change a MessagingConfig: only what is given.",
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
    "json": "print JSON",
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
    "needs": "Say what to change; --help shows what can be."
  },
  {
    "name": "configs delete",
    "about": "Delete a MessagingConfig that no numbers belong to.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<sid>} is deleted."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "configs numbers",
    "about": "List the numbers of a MessagingConfig.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "campaigns list",
    "about": "List the campaigns.",
    "who": "account",
    "call": "campaigns.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "campaigns show",
    "about": "Show a campaign, with what each mobile operator lets through.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "campaigns link",
    "about": "Link a campaign to a MessagingConfig.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "campaigns unlink",
    "about": "Unlink a campaign from its MessagingConfig.",
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
    "json": "print JSON",
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
    "sets": {
      "messagingConfigSid": null
    }
  },
  {
    "name": "campaigns migrations",
    "about": "List the migrations of campaigns, and what each waits for.",
    "who": "account",
    "call": "migrations.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "calls list",
    "about": "List calls, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "calls hangup",
    "about": "Hang up a call.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "calls delete",
    "about": "Delete a call that has ended, with its recording.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<sid>} is deleted."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "calls pause",
    "about": "Pause the recording of a call that is under way.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "The recording of {<sid>} is paused."
      }
    ],
    "sets": {
      "action": "Pause"
    }
  },
  {
    "name": "calls resume",
    "about": "Resume the recording of a call that is under way.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "The recording of {<sid>} is resumed."
      }
    ],
    "sets": {
      "action": "Resume"
    }
  },
  {
    "name": "calls why",
    "about": "Tell why a call went as it did: everything that was decided and happened, in order.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "calls sip",
    "about": "Show the SIP messages of a call, in order. Credentials and keys are masked.",
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
    "json": "print JSON",
    "shows": [
      {
        "lines": "── {at}  {direction} {direction|preposition} {peer} by {transport}, {leg} leg\n{text|lines}\n",
        "empty": "None were kept: TANDEM_SIP_TRACE says whether and how long they are."
      }
    ]
  },
  {
    "name": "calls capture",
    "about": "Write the SIP messages of a call to a capture file, for Wireshark and the like.",
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
    "json": "print what was written as JSON",
    "shows": [
      {
        "file": "{<sid>}.pcap",
        "text": ": {octets} octets"
      }
    ]
  },
  {
    "name": "webhooks create",
    "about": "Send the events of some types to a URL. Prints the signing secret, which is shown this once.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "webhooks list",
    "about": "List the subscriptions.",
    "who": "account",
    "call": "webhooks.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "webhooks types",
    "about": "List the event types; with --json, each with a sample.",
    "who": "account",
    "call": "webhooks.types",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON",
    "shows": [
      {
        "lines": "{type}"
      }
    ]
  },
  {
    "name": "webhooks show",
    "about": "Show a subscription.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "webhooks change",
    "about": "Change a subscription: only what is given.",
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
    "json": "print JSON instead of a table",
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
    "needs": "Say what to change: --receiver, --backup-url, --bearer or --shape."
  },
  {
    "name": "webhooks enable",
    "about": "Switch a subscription on, also one that was switched off because its receiver failed for days.",
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
    "json": "print JSON instead of a table",
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
    "sets": {
      "enabled": true
    }
  },
  {
    "name": "webhooks disable",
    "about": "Switch a subscription off. Events of that time are not delivered later; tandem events list has them.",
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
    "json": "print JSON instead of a table",
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
    "sets": {
      "enabled": false
    }
  },
  {
    "name": "webhooks delete",
    "about": "Delete a subscription. What is still to be delivered by it is not.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<sid>} is deleted."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "webhooks rotate",
    "about": "Make a new signing secret, shown this once. For 24 hours the old one signs, too.",
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
    "json": "print JSON",
    "shows": [
      {
        "print": "Signing secret, shown this once: {secret}"
      }
    ]
  },
  {
    "name": "webhooks deliveries",
    "about": "List deliveries, the newest first.",
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
    "json": "print JSON with every attempt instead of a table",
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
    ]
  },
  {
    "name": "webhooks delivery",
    "about": "Show a delivery, with every attempt and what the receiver answered.",
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
    "json": "print JSON",
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
    ]
  },
  {
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "requests list",
    "about": "List refused requests, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "requests show",
    "about": "Show what became of a request: what it made, and how it was refused.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "attention",
    "about": "List whatever stands still or fails, each with what to do about it.",
    "summary": "what needs somebody",
    "example": "tandem attention",
    "who": "account",
    "call": "oversight.attention",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "traffic",
    "about": "Count messages and calls by the minute, the oldest first.",
    "summary": "messages and calls by the minute",
    "example": "tandem traffic --minutes 10",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "sandbox migrate",
    "about": "Let the owner of a campaign migrate it to your account in the registry.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "The migration of {<id>} has begun."
      }
    ]
  },
  {
    "name": "sandbox port",
    "about": "Let the losing carrier make up its mind about a port order.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "The losing carrier has decided: {<outcome>}."
      }
    ]
  },
  {
    "name": "operator accounts list",
    "about": "List the accounts.",
    "who": "operator",
    "call": "accounts.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator accounts show",
    "about": "Show an account: status, features, limits, countries.",
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
    "json": "print JSON",
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
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ]
  },
  {
    "name": "operator limits show",
    "about": "Show the limits of an account.",
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
    "json": "print JSON",
    "shows": [
      {
        "fields": {
          "Limit *": "limits"
        }
      }
    ],
    "only": "limits"
  },
  {
    "name": "operator countries show",
    "about": "Show the countries of an account.",
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
    "json": "print JSON",
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
    "only": "allowedCountries"
  },
  {
    "name": "operator accounts change",
    "about": "Change an account: only what is given.",
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
    "json": "print JSON",
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
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "needs": "Say what to change: --name, --country, --caller-id or --keywords. There are tandem operator features, limits and countries, too."
  },
  {
    "name": "operator accounts suspend",
    "about": "Suspend an account: its requests are refused until it is resumed.",
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
    "json": "print JSON",
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
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "sets": {
      "status": "Suspended"
    }
  },
  {
    "name": "operator accounts resume",
    "about": "Resume an account that was suspended.",
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
    "json": "print JSON",
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
          "Created": "{createdOn}",
          "Limit *": "limits"
        }
      }
    ],
    "sets": {
      "status": "Active"
    }
  },
  {
    "name": "operator limits set",
    "about": "Set limits of an account; others stay as they are.",
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
        "help": "CLASS=REQUESTS/SECONDS; a class is one of lookup, lookupBatch, send, sendToRecipient, read, write, call, concurrentCalls",
        "to": "limits"
      }
    ],
    "options": [
      "--json"
    ],
    "json": "print JSON",
    "shows": [
      {
        "fields": {
          "Limit *": "limits"
        }
      }
    ],
    "only": "limits"
  },
  {
    "name": "operator countries set",
    "about": "Set the countries of an account.",
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
    "json": "print JSON",
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
    "only": "allowedCountries"
  },
  {
    "name": "operator accounts tokens create",
    "about": "Make a second token for an account, shown this once.",
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
    "json": "print JSON",
    "shows": [
      {
        "print": "{token}"
      },
      {
        "say": "This is token {n}, shown this once: keep it."
      }
    ]
  },
  {
    "name": "operator accounts tokens promote",
    "about": "Let a signing token of an account sign from now on, and not the older one.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "Token {<place>} of {<sid>} signs."
      }
    ],
    "done": "promoted"
  },
  {
    "name": "operator accounts tokens delete",
    "about": "Delete a token of an account. What uses it is refused from then on.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "Token {<place>} of {<sid>} is deleted."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "operator features requests",
    "about": "List what accounts have asked for.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator features grant",
    "about": "Grant a request: the feature is switched on.",
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
    "json": "print JSON",
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
    "sets": {
      "status": "Granted"
    }
  },
  {
    "name": "operator features decline",
    "about": "Decline a request.",
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
    "json": "print JSON",
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
    "sets": {
      "status": "Declined"
    }
  },
  {
    "name": "operator tokens list",
    "about": "List the names and roles of operators' tokens.",
    "who": "operator",
    "call": "tokens.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
    "shows": [
      {
        "table": {
          "Name": "{name}",
          "Role": "{role}",
          "Created": "{createdOn}"
        }
      }
    ]
  },
  {
    "name": "operator tokens create",
    "about": "Make a token for an operator, shown this once. Its name stands in the audit log.",
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
    "json": "print JSON",
    "shows": [
      {
        "print": "{token}"
      },
      {
        "say": "This is the token of {<name>}, who may {<role>|roleMay}. It is shown this once."
      }
    ]
  },
  {
    "name": "operator tokens delete",
    "about": "Delete an operator's token. What uses it is refused from then on.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "The token of {<name>} is deleted."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "operator audit list",
    "about": "List what operators did, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator overrides list",
    "about": "List the overrides.",
    "who": "operator",
    "call": "lookupOverrides.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator overrides show",
    "about": "Show the override of a number.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator overrides set",
    "about": "Say what lookups of a number answer.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator overrides delete",
    "about": "Take an override away.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "Lookups of {<number>} answer what is known of it again."
      }
    ],
    "done": "deleted"
  },
  {
    "name": "operator inventory list",
    "about": "List the inventory.",
    "who": "operator",
    "call": "numbers.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator inventory give",
    "about": "Give a number of the inventory to an account, as if the account had bought it.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator inventory remove",
    "about": "Take a number out of the inventory, unless it serves an account.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<number>} is out of the inventory."
      }
    ],
    "done": "removed"
  },
  {
    "name": "operator numbers list",
    "about": "List the numbers of the account; removed ones only when --status asks for them.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator numbers show",
    "about": "Show a number, and what it waits for if it is not active.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator numbers voice show",
    "about": "Show where the calls of a number go, and whether they are recorded.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator ports list",
    "about": "List the port orders.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator ports show",
    "about": "Show a port order, with how far each number has come.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator ports pins",
    "about": "Reveal the transfer PINs of a port order. The audit log tells that you have seen them.",
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
    "json": "print JSON instead of a table",
    "shows": [
      {
        "table": {
          "Number": "{number}",
          "PIN": "{pin}"
        },
        "of": "pins"
      }
    ]
  },
  {
    "name": "operator ports foc",
    "about": "Confirm the date at which the losing carrier lets go.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator ports complete",
    "about": "Say that numbers have moved.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator ports reject",
    "about": "Say that numbers will not come.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator ports exception",
    "about": "Ask the account to put something right: tandem port-in answer.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator campaigns list",
    "about": "List the campaigns.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator campaigns show",
    "about": "Show a campaign of any account, with what each mobile operator lets through.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator campaigns enter",
    "about": "Enter a campaign by hand, where no registry is connected. It is Active.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator campaigns suspend",
    "about": "Suspend a campaign that is kept by hand: its numbers do not send.",
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
    "json": "print JSON",
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
    "sets": {
      "status": "Suspended"
    }
  },
  {
    "name": "operator campaigns expire",
    "about": "Say that a campaign that is kept by hand has ended.",
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
    "json": "print JSON",
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
    "sets": {
      "status": "Expired"
    }
  },
  {
    "name": "operator campaigns activate",
    "about": "Say that a campaign that is kept by hand is active again.",
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
    "json": "print JSON",
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
    "sets": {
      "status": "Active"
    }
  },
  {
    "name": "operator campaigns change",
    "about": "Change the name or brand of a campaign that is kept by hand.",
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
    "json": "print JSON",
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
    "needs": "Say what to change: --name or --brand."
  },
  {
    "name": "operator campaigns unassigned",
    "about": "List campaigns of the registry that wait for somebody to say whose they are.",
    "who": "operator",
    "call": "campaigns.unassigned",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator campaigns assign",
    "about": "Say whose a campaign is: one that is here is moved, one of the registry may still be to come.",
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
    "json": "print JSON",
    "shows": [
      {
        "table": {
          "Campaign": "{tcrCampaignId}",
          "Name": "{name}",
          "Standing": "{standing}",
          "Account": "{<account>}"
        }
      }
    ]
  },
  {
    "name": "operator configs list",
    "about": "List the MessagingConfigs.",
    "who": "view",
    "call": "messagingConfigs.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator configs show",
    "about": "Show a MessagingConfig.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator configs numbers",
    "about": "List the numbers of a MessagingConfig.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator links list",
    "about": "List the links and how they fare. One process keeps them all; others answer what it told last.",
    "who": "operator",
    "call": "links.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator links stop",
    "about": "Stop a link until it is started, also over a restart. Messages take other links, or wait.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<name>} is stopped since {stoppedOn}."
      }
    ]
  },
  {
    "name": "operator links start",
    "about": "Start a link that was stopped.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<name>} is started."
      }
    ]
  },
  {
    "name": "operator messages list",
    "about": "List sent messages, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator messages why",
    "about": "Tell why a message did or did not arrive: everything that was decided and happened, in order.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator messages inbound",
    "about": "List received messages, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator messages show",
    "about": "Show a message, sent or received, with all that is known of it.",
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
    "json": "print JSON",
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
    "sids": "IM"
  },
  {
    "name": "operator trunks list",
    "about": "List the trunks and how they fare, as the process that answers sees them.",
    "who": "operator",
    "call": "trunks.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
            "{registration.isUp?registered}",
            "not registered: {registration.reason}"
          ],
          "Reason": "{reason!}"
        }
      }
    ]
  },
  {
    "name": "operator trunks stop",
    "about": "Stop a trunk until it is started, also over a restart. Calls that are under way go on.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<name>} is stopped since {stoppedOn}."
      }
    ]
  },
  {
    "name": "operator trunks start",
    "about": "Start a trunk that was stopped.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<name>} is started."
      }
    ]
  },
  {
    "name": "operator recordings list",
    "about": "List recordings with which something went wrong.",
    "who": "operator",
    "call": "recordings.list",
    "takes": [],
    "answers": "pages",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator recordings retry",
    "about": "Make the files of a failed recording after all.",
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
    "json": "print JSON",
    "shows": [
      {
        "say": "{<sid>} is tried again."
      }
    ],
    "done": "retried"
  },
  {
    "name": "operator calls list",
    "about": "List calls, the newest first.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator calls why",
    "about": "Tell why a call went as it did: everything that was decided and happened, in order.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator calls sip",
    "about": "Show the SIP messages of a call, in order. Credentials and keys are masked.",
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
    "json": "print JSON",
    "shows": [
      {
        "lines": "── {at}  {direction} {direction|preposition} {peer} by {transport}, {leg} leg\n{text|lines}\n",
        "empty": "None were kept: TANDEM_SIP_TRACE says whether and how long they are."
      }
    ]
  },
  {
    "name": "operator routes list",
    "about": "List the routes in the order in which they are tried: the first that fits decides.",
    "who": "operator",
    "call": "routes.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    "isDefault": true
  },
  {
    "name": "operator webhooks list",
    "about": "List the subscriptions of all accounts; --enabled no finds those that were switched off, and why.",
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
    "json": "print JSON instead of a table",
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
    ]
  },
  {
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
    "ofAccount": "events.list"
  },
  {
    "name": "operator webhooks deliveries",
    "about": "List deliveries, the newest first.",
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
    "json": "print JSON with every attempt instead of a table",
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
    ]
  },
  {
    "name": "operator webhooks delivery",
    "about": "Show a delivery, with every attempt and what the receiver answered.",
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
    "json": "print JSON",
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
    ]
  },
  {
    "name": "operator requests list",
    "about": "List refused requests, the newest first.",
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
    "ofAccount": "requests.list"
  },
  {
    "name": "operator requests show",
    "about": "Show what became of a request: what it made, and how it was refused.",
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
    "ofAccount": "requests.get"
  },
  {
    "name": "operator attention",
    "about": "List whatever stands still or fails, of all accounts and the service itself.",
    "summary": "what needs somebody, of all accounts and the service",
    "who": "operator",
    "call": "oversight.attention",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  },
  {
    "name": "operator reconciles list",
    "about": "List the last run of each reconcile.",
    "who": "operator",
    "call": "reconciles.list",
    "takes": [],
    "answers": "items",
    "arguments": [],
    "options": [
      "--json"
    ],
    "json": "print JSON instead of a table",
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
    ]
  }
];
