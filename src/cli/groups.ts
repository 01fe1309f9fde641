// The groups of commands: the description of each, and the order of its commands. Commands that are missing from
// `order` come last.

export interface CommandGroup {
  readonly summary: string;
  /** Default: the summary as a sentence. */
  readonly about?: string;
  readonly order: string;
  readonly note?: string;
  readonly examples: readonly string[];
}

/** Subgroups come after their groups. */
export const GROUPS: Readonly<Record<string, CommandGroup>> = {
  messages: {
    summary: "what was sent and received, and what became of it",
    order: "list show why inbound cancel export",
    examples: [
      "tandem messages list --status Failed --since 2h",
      "tandem messages why OM01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem messages export --csv january.csv --since 2026-01-01 --until 2026-02-01",
      "tandem messages inbound --since 1d",
    ],
  },
  calls: {
    summary: "calls, and how they went",
    order: "list show why sip capture hangup pause resume recordings delete",
    examples: [
      "tandem calls list --status Answered",
      "tandem calls show CA01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem calls hangup CA01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem calls recordings download CA01935f1e4c7b7000a3c41f0e5d9b2a17 -o call.mp3",
      "tandem calls capture CA01935f1e4c7b7000a3c41f0e5d9b2a17 -o - | tcpdump -A -r -",
    ],
  },
  conferences: {
    summary: "conferences, and who is in them",
    order: "list show mute unmute hold unhold remove end",
    examples: [
      "tandem conferences list --status InProgress",
      "tandem conferences mute CF01935f1e4c7b7000a3c41f0e5d9b2a20 CA01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem conferences end CF01935f1e4c7b7000a3c41f0e5d9b2a20",
    ],
  },
  "calls recordings": {
    summary: "the recording of a call",
    about: "The recording of a call: one segment for each time it was resumed.",
    order: "list download",
    examples: [
      "tandem calls recordings list CA01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem calls recordings download CA01935f1e4c7b7000a3c41f0e5d9b2a17 2 -o second-part.mp3",
    ],
  },
  numbers: {
    summary: "your numbers, and those that can be had",
    order: "list show voice available buy configure release",
    examples: [
      "tandem numbers available --area-code 415",
      'tandem numbers buy +14155550123 --name "Front desk" --config MC01935f1e4c7b7000a3c41f0e5d9b2a17',
      "tandem numbers configure +14155550123 --config none",
      "tandem numbers voice set +14155550123 --forward-to sip:desk@pbx.example.com --record yes",
    ],
  },
  "numbers voice": {
    summary: "where its calls go",
    about: "Where the calls of a number go.",
    order: "show set",
    examples: ["tandem numbers voice show +14155550123"],
  },
  configs: {
    summary: "MessagingConfigs: how numbers send",
    about: "MessagingConfigs: how the numbers that belong to one send, and which ones do.",
    order: "list show numbers create change delete add-numbers remove-numbers",
    examples: [
      'tandem configs create "Reminders" --sending-times "Mon-Fri 09:00-20:00 America/New_York"',
      "tandem configs change MC01935f1e4c7b7000a3c41f0e5d9b2a17 --campaign CABC123",
      "tandem configs add-numbers MC01935f1e4c7b7000a3c41f0e5d9b2a17 +14155550150 +14155550151",
    ],
  },
  "port-in": {
    summary: "bring numbers here from other carriers",
    order: "check loa submit list show answer cancel",
    examples: [
      "tandem port-in check +13035550123",
      "tandem port-in loa +13035550123 --data order.json --out loa.pdf",
      "tandem port-in submit +13035550123 --config MC01935f1e4c7b7000a3c41f0e5d9b2a17 --data order.json --file loa-signed.pdf",
      "tandem port-in show PO01935f1e4c7b7000a3c41f0e5d9b2a1b",
    ],
  },
  campaigns: {
    summary: "campaigns of the registry",
    about: "Campaigns of the registry, which MessagingConfig each is linked to, and bringing one here.",
    order: "list show link unlink migrate migrations",
    examples: [
      "tandem campaigns list",
      "tandem campaigns link CABC123 MC01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem campaigns migrate CABC123 +13035550123 --dry-run",
      "tandem campaigns migrations",
    ],
  },
  optouts: {
    summary: "who does not want to hear from you",
    about: "Who does not want to hear from a number or a campaign.",
    order: "list add remove import",
    examples: [
      "tandem optouts list --number +14155550100",
      "tandem optouts add +14155550100 --from +14155550150",
      "tandem optouts import --csv stopped.csv --campaign CABC123",
    ],
  },
  webhooks: {
    summary: "where events are sent, and what became of them",
    about: "Where events are sent, what became of every delivery, and sending them again.",
    order: "list show types create change enable disable rotate delete test deliveries delivery replay",
    examples: [
      "tandem webhooks create https://example.com/hook --type InboundMessageReceived --type OptOutChanged",
      "tandem webhooks create https://example.com/all --type '*'",
      "tandem webhooks enable WS01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem webhooks rotate WS01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem webhooks test WS01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem webhooks deliveries --status Failed --since 2h",
      "tandem webhooks replay --status Failed --since 2h",
    ],
  },
  events: {
    summary: "what has happened, subscribed to or not",
    about: "What has happened, subscribed to or not. tandem listen shows events as they happen.",
    order: "list",
    examples: ["tandem events list --type OutboundMessageStatusChanged", "tandem events list --limit 1 --json"],
  },
  requests: {
    summary: "requests that were refused, and what became of one",
    about: "Requests that were refused in the last 7 days, and what became of a request.",
    order: "list show",
    examples: [
      "tandem requests show 01935f1e-4c7b-7000-a3c4-1f0e5d9b2a17",
      "tandem requests list --status 429 --since 1h",
    ],
  },
  changes: {
    summary: "who changed what in the account",
    about: "Who changed what in the account in the last 90 days: tokens and people.",
    order: "list",
    examples: ["tandem changes list --operation deleteWebhook --since 30d"],
  },
  sandbox: {
    summary: "make things happen in the simulated world",
    about: "Make things happen in the simulated world outside; only where the server runs with a sandbox.",
    order: "receive call settle port migrate",
    examples: [
      "tandem sandbox receive",
      "tandem sandbox receive --from +14155550100 --text STOP",
      "tandem sandbox call --from +14155550100",
      "tandem sandbox settle OM01935f1e4c7b7000a3c41f0e5d9b2a17 --failed",
      "tandem sandbox port PO01935f1e4c7b7000a3c41f0e5d9b2a1b --outcome complete",
      "tandem sandbox migrate CABC123",
    ],
  },
  account: {
    summary: "your account, its tokens and features",
    about: "Your account, its tokens and features. Alone, it shows the account.",
    order: "show tokens request-feature rotate-secret support-link",
    examples: [
      "tandem account",
      "tandem account tokens create          (spread it, then) tandem account tokens delete 1",
      "tandem account request-feature voice",
    ],
  },
  "account tokens": {
    summary: "the account's tokens: one, or two while one is replaced",
    order: "create promote delete",
    note: "A signing token signs X-Twilio-Signature of what the account gets in Twilio's shape: a program written for Twilio verifies with the\ntoken by which it signs in. Of two, the older signs until it is deleted or the other is promoted.",
    examples: [
      "tandem account tokens create > new-token.txt",
      "tandem account tokens delete 1",
      "tandem account tokens create --signs    (let receivers accept both, then) tandem account tokens promote 2",
    ],
  },
  operator: {
    summary: "for the operator of the service",
    order:
      "search accounts features limits countries retention tokens inventory overrides ports campaigns links trunks routes messages calls conferences numbers configs optouts webhooks events changes requests recordings nodes reconciles attention traffic statistics audit support-link",
    examples: [
      'tandem operator search "(415) 555-0123"',
      "tandem operator accounts create Shop --features campaignMigration",
      'tandem operator accounts suspend AC01935f1e4c7b7000a3c41f0e5d9b2a17 --reason "unpaid since January"',
      "tandem operator inventory add +14155550123 +14155550124",
      'tandem operator inventory give +14155550123 AC01935f1e4c7b7000a3c41f0e5d9b2a17 --name "Front desk"',
      "tandem operator campaigns enter CABC123 --brand BSHOP01 --name Shop --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem operator campaigns suspend CABC123",
      "tandem operator links stop acme-east",
      "tandem operator messages why OM01935f1e4c7b7000a3c41f0e5d9b2a17 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator accounts": {
    summary: "accounts and their tokens",
    order: "list show create change suspend resume tokens",
    examples: [
      'tandem operator search "(415) 555-0123"',
      "tandem operator accounts create Shop --features voice,campaignMigration",
      'tandem operator accounts suspend AC01935f1e4c7b7000a3c41f0e5d9b2a17 --reason "unpaid since January"',
      "tandem operator accounts resume AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator accounts tokens": {
    summary: "the tokens of an account",
    about: "The tokens of an account: one, or two while one is replaced.",
    order: "create delete",
    examples: [
      "tandem operator accounts tokens create AC01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem operator accounts tokens delete AC01935f1e4c7b7000a3c41f0e5d9b2a17 1",
    ],
  },
  "operator features": {
    summary: "what accounts may use, and what they ask for",
    order: "on off requests grant decline",
    examples: [
      "tandem operator features on AC01935f1e4c7b7000a3c41f0e5d9b2a17 voice",
      "tandem operator features requests --status Open",
      "tandem operator features grant FR01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator limits": {
    summary: "how much accounts may ask for",
    about: "How much an account may ask for, in which time.",
    order: "show set",
    examples: [
      "tandem operator limits set AC01935f1e4c7b7000a3c41f0e5d9b2a17 send=200/10 read=50/1",
      "tandem operator limits set AC01935f1e4c7b7000a3c41f0e5d9b2a17 concurrentCalls=30",
    ],
  },
  "operator countries": {
    summary: "where accounts may send and call to",
    about: "The countries that an account may send and call to.",
    order: "show set",
    examples: [
      "tandem operator countries set AC01935f1e4c7b7000a3c41f0e5d9b2a17 US CA GB",
      "tandem operator countries set AC01935f1e4c7b7000a3c41f0e5d9b2a17 own",
    ],
  },
  "operator retention": {
    summary: "for how long accounts' records are kept",
    about: "For how long an account's messages, calls and events are kept. What is older is deleted for good.",
    order: "show set",
    examples: [
      "tandem operator retention set AC01935f1e4c7b7000a3c41f0e5d9b2a17 --messages 90 --calls 365",
      "tandem operator retention set AC01935f1e4c7b7000a3c41f0e5d9b2a17 --messages none",
    ],
  },
  "operator tokens": {
    summary: "the operators' own tokens",
    about: "The operators' own tokens: admin does everything, support only reads.",
    order: "list create delete",
    examples: ["tandem operator tokens list", "tandem operator tokens create ann@example.com --role support"],
  },
  "operator inventory": {
    summary: "the numbers that accounts can have",
    order: "list add give remove import",
    examples: [
      "tandem operator inventory add +14155550123 +14155550124 --features SMS,MMS",
      'tandem operator inventory give +14155550123 AC01935f1e4c7b7000a3c41f0e5d9b2a17 --name "Front desk"',
      "tandem operator inventory add 72345 --country US",
    ],
  },
  "operator overrides": {
    summary: "what lookups of a number answer, by your word",
    about: "What lookups of a number answer by the operator's word, whatever else is known of it.",
    order: "list show set delete",
    examples: [
      'tandem operator overrides set +14155550177 --type Wireless --status Active --carrier "Acme Wireless" --note "ported yesterday"',
    ],
  },
  "operator ports": {
    summary: "the port orders of all accounts",
    about: "The port orders of all accounts. Where no clearing house is connected, they are moved along by hand.",
    order: "list show document pins foc complete reject exception",
    note: "Without numbers, a step is taken for all numbers of the order that can take it.",
    examples: [
      "tandem operator ports list --status Submitted",
      "tandem operator ports foc PO01935f1e4c7b7000a3c41f0e5d9b2a1b --on 2026-01-31T14:00:00Z",
      "tandem operator ports complete PO01935f1e4c7b7000a3c41f0e5d9b2a1b +13035550123 --halves voice",
      "tandem operator ports reject PO01935f1e4c7b7000a3c41f0e5d9b2a1b +13035550124 --reason PHONE_NUMBER_NOT_PORTABLE",
    ],
  },
  "operator campaigns": {
    summary: "the campaigns of all accounts",
    about: "The campaigns of all accounts. Where no registry is connected, they are kept by hand.",
    order: "list show unassigned migrations enter suspend expire activate change assign",
    examples: [
      "tandem operator campaigns unassigned",
      "tandem operator campaigns enter CABC123 --brand BSHOP01 --name Shop --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
      "tandem operator campaigns suspend CABC123",
      "tandem operator campaigns assign CABC123 AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator links": {
    summary: "the links to carriers",
    about: "The links to carriers: how they fare, stopping and starting them.",
    order: "list stop start",
    examples: ["tandem operator links list", "tandem operator links stop acme-east"],
  },
  "operator trunks": {
    summary: "the SIP trunks",
    about: "The SIP trunks: how they fare, stopping and starting them.",
    order: "list stop start",
    examples: ["tandem operator trunks list", "tandem operator trunks stop acme-west"],
  },
  "operator routes": {
    summary: "the routes of the config file",
    about: "The routes of the config file, and what each link and trunk takes of them.",
    order: "list",
    examples: ["tandem operator routes list"],
  },
  "operator messages": {
    summary: "the messages of an account",
    order: "list show why inbound",
    examples: [
      "tandem operator messages why OM01935f1e4c7b7000a3c41f0e5d9b2a17 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator calls": {
    summary: "the calls of an account",
    order: "list show why sip",
    examples: [
      "tandem operator calls sip CA01935f1e4c7b7000a3c41f0e5d9b2a17 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator conferences": {
    summary: "the conferences of an account",
    order: "list show",
    examples: ["tandem operator conferences list --account AC01935f1e4c7b7000a3c41f0e5d9b2a17"],
  },
  "operator numbers": {
    summary: "whose a number is, and the numbers of an account",
    order: "find list show voice",
    examples: [
      'tandem operator numbers find "(415) 555-0123"',
      "tandem operator numbers list --account AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
  "operator numbers voice": {
    summary: "where its calls go",
    about: "Where the calls of a number go.",
    order: "show",
    examples: ["tandem operator numbers voice show +14155550123 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17"],
  },
  "operator configs": {
    summary: "the MessagingConfigs of an account",
    order: "list show numbers",
    examples: ["tandem operator configs list --account AC01935f1e4c7b7000a3c41f0e5d9b2a17"],
  },
  "operator optouts": {
    summary: "who does not want to hear from an account",
    order: "list",
    examples: ["tandem operator optouts list --number +14155550100 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17"],
  },
  "operator webhooks": {
    summary: "subscriptions of all accounts, and the deliveries of one",
    order: "list deliveries delivery",
    examples: ["tandem operator webhooks list --enabled no"],
  },
  "operator events": {
    summary: "the events of all accounts, or of one",
    order: "list",
    examples: ["tandem operator events list --limit 5 --account AC01935f1e4c7b7000a3c41f0e5d9b2a17"],
  },
  "operator requests": {
    summary: "refused requests of all callers or of an account, and what became of any",
    order: "list show",
    examples: ["tandem operator requests show 01935f1e-4c7b-7000-a3c4-1f0e5d9b2a17"],
  },
  "operator changes": {
    summary: "who changed what in an account",
    order: "list",
    examples: ["tandem operator changes list --account AC01935f1e4c7b7000a3c41f0e5d9b2a17 --operation deleteWebhook"],
  },
  "operator recordings": {
    summary: "recordings with which something went wrong",
    order: "list retry",
    examples: ["tandem operator recordings list"],
  },
  "operator nodes": {
    summary: "the processes that serve the database",
    about: "The processes that serve the database: what each holds, and draining one.",
    order: "list drain",
    examples: ["tandem operator nodes list", "tandem operator nodes drain ND01935f1e4c7b7000a3c41f0e5d9b2a17"],
  },
  "operator reconciles": {
    summary: "the last run of what keeps campaigns and ports up to date",
    order: "list",
    examples: ["tandem operator reconciles list"],
  },
  "operator audit": {
    summary: "what operators did",
    order: "list",
    examples: [
      "tandem operator audit list --operator ann@example.com",
      "tandem operator audit list --subject AC01935f1e4c7b7000a3c41f0e5d9b2a17",
    ],
  },
};
