// The client's methods, one for each operation of the API: npm run generate. Not written by hand.

import type {
  Account,
  AccountChange,
  AccountOrder,
  AccountSearchResult,
  AccountWebhookSecret,
  AssignedCampaign,
  Attention,
  AuditEntry,
  AvailablePhone,
  Call,
  CallOrder,
  CallRecording,
  CallRedirection,
  CallTrail,
  CampaignAssignment,
  CampaignChange,
  CampaignOrder,
  CarrierLink,
  CarrierLinkSwitch,
  ChangeEntry,
  CheckPortabilityQuery,
  Conference,
  ConferenceParticipant,
  DeleteOptOutQuery,
  DeliveryWithBody,
  Emulated,
  EmulatedCampaignMigration,
  EmulatedInboundCall,
  EmulatedInboundMessage,
  EmulatedMessageStatus,
  EmulatedPort,
  EndSessionQuery,
  EventType,
  FeatureDecision,
  FeatureRequest,
  FeatureRequestOrder,
  FindPhoneQuery,
  GetMigrationQuery,
  GetRecordingQuery,
  GetStatisticsQuery,
  GetTrafficQuery,
  InboundMessage,
  InventoryAdded,
  InventoryNumber,
  InventoryOrder,
  ListAccountsQuery,
  ListAllEventsQuery,
  ListAllPortOrdersQuery,
  ListAllRequestsQuery,
  ListAllWebhooksQuery,
  ListAuditLogQuery,
  ListAvailablePhonesQuery,
  ListCallsQuery,
  ListCampaignsQuery,
  ListChangesQuery,
  ListConferencesQuery,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListFeatureRequestsQuery,
  ListInboundMessagesQuery,
  ListInventoryQuery,
  ListLookupOverridesQuery,
  ListMessagingConfigPhonesQuery,
  ListMessagingConfigsQuery,
  ListMigrationsQuery,
  ListOptOutsQuery,
  ListOutboundMessagesQuery,
  ListPhonesQuery,
  ListPortOrdersQuery,
  ListRequestsQuery,
  ListTcrCampaignsQuery,
  ListTroubledRecordingsQuery,
  ListUnassignedCampaignsQuery,
  ListWebhooksQuery,
  LookupBatch,
  LookupBatchAnswer,
  LookupOverride,
  LookupOverrideOrder,
  MessageDryRun,
  MessageOrder,
  MessageTrail,
  MessagingConfig,
  MessagingConfigChange,
  MessagingConfigOrder,
  MessagingConfigReplacement,
  Migration,
  MigrationSummary,
  NewAccount,
  NewOperatorToken,
  NewToken,
  Node,
  NumberAssignment,
  NumberDetails,
  NumberInformation,
  OpenedSupportLink,
  OperatorAttention,
  OperatorToken,
  OperatorTokenOrder,
  OptOut,
  OptOutOrder,
  OutboundMessage,
  OwnAccount,
  OwnedPhones,
  OwnedPortOrder,
  OwnedRefusedRequest,
  OwnedRequestOutcome,
  OwnedTcrCampaign,
  OwnedWebhookSubscription,
  ParticipantChange,
  Phone,
  PhoneChange,
  PhoneOrder,
  PhonesAssigned,
  PhonesToAdd,
  PhonesToDelete,
  PortCompletion,
  PortDate,
  PortException,
  PortLetterData,
  PortOrder,
  PortPins,
  PortRejection,
  Portability,
  Reconcile,
  RecordingControl,
  RefusedRequest,
  ReplayAnswer,
  ReplayOneOrder,
  ReplayOrder,
  RequestOutcome,
  Route,
  SavedView,
  SavedViewName,
  SavedViewOrder,
  SearchAccountQuery,
  SearchQuery,
  SearchResult,
  Session,
  SessionOrder,
  SipMessage,
  StatisticsReport,
  SupportLink,
  SupportLinkOrder,
  TcrCampaign,
  TcrCampaignChange,
  TokenOrder,
  Traffic,
  TroubledRecording,
  Trunk,
  TrunkSwitch,
  UnassignedCampaign,
  VoiceSettings,
  VoiceSettingsChange,
  VoiceSettingsOrder,
  WebhookChange,
  WebhookDelivery,
  WebhookOrder,
  WebhookSubscription,
  WebhookSubscriptionWithSecret,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";
import type { AccountEvent, OwnedAccountEvent } from "./webhook-events.ts";

/** Carrier, line type and messaging status of numbers. */
export interface PlainLookup {
  /**
   * Lookup a number. Messaging status, line type and carrier of any phone number. 400 when it cannot be a phone
   * number at all; a number that is possible but in no known range is `Unknown` and `Inactive`.
   */
  number(number: string, options?: CallOptions): Promise<Answer<NumberInformation>>;
  /**
   * Lookup a number, with all that is known of it. What a lookup answers, and country, spellings, area, network,
   * portability, source, age and confidence. Costs as much as a lookup.
   */
  details(number: string, options?: CallOptions): Promise<Answer<NumberDetails>>;
  /**
   * Lookup many numbers. Up to 1000 numbers at once, answered in order; a bad one does not spoil the rest. Costs
   * as many look-ups as it has numbers, from a limit of its own.
   */
  numbers(numbers: LookupBatch["numbers"], options?: WriteOptions): Promise<Answer<LookupBatchAnswer>>;
}

/** The account itself: what it may, its tokens, and asking for features. */
export interface AccountItself {
  /** Your account. */
  get(options?: CallOptions): Promise<Answer<OwnAccount>>;
  /**
   * Make a second token. So that tokens can be rotated: make the second, spread it, delete the first. 409 when
   * there are two already. Of two signing tokens the older signs until it is deleted or the other is promoted.
   */
  createToken(body: TokenOrder | undefined, options?: WriteOptions): Promise<Answer<NewToken>>;
  /**
   * Let a token sign. From now on this signing token signs, and not the older one. Receivers have to know both
   * before. 409 when it is no signing token.
   */
  promoteToken(n: number, options?: WriteOptions): Promise<Answer<undefined>>;
  /** Delete a token. 409 when it is the only one. A signing token signs nothing from then on. */
  deleteToken(n: number, options?: CallOptions): Promise<Answer<undefined>>;
  /**
   * Make a new secret for callbacks. It signs what goes to the callback URLs of messages. Every replaced one
   * signs too for 24 hours: a delivery carries all their signatures. A sixth within that time is refused with
   * 409. In Twilio's shape the newest signs at once, and only where the account has no signing token.
   */
  rotateWebhookSecret(options?: WriteOptions): Promise<Answer<AccountWebhookSecret>>;
  /** Ask for a feature. Lands in the operator's queue. Asking again while it is open answers the same request. */
  requestFeature(feature: FeatureRequestOrder["feature"], options?: WriteOptions): Promise<Answer<FeatureRequest>>;
  /**
   * Make a link for support. To a page of the portal, with its filters. Only operators can open it: they see the
   * operator's view of the same thing. An account has at most 1,000; the oldest are removed.
   */
  linkForSupport(address: SupportLinkOrder["address"], options?: WriteOptions): Promise<Answer<SupportLink>>;
}

/** Messages: sending them, their state and history, and those received. */
export interface PlainMessages {
  /**
   * Send a message. A form or JSON. Answered when the message is stored for good. Every refusal carries
   * `errorCode` and `errorMessage`: of several the first in the order of the documented codes.
   */
  send(body: MessageOrder, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /**
   * What would become of a message. Takes what sending takes, says what would happen, every refusal included,
   * and sends nothing. Never remembered for an `Idempotency-Key`.
   */
  rehearse(body: MessageOrder, options?: WriteOptions): Promise<Answer<MessageDryRun>>;
  /** List sent messages. */
  list(options?: ListOutboundMessagesQuery & CallOptions): Listing<OutboundMessage>;
  /** A sent message. */
  get(sid: string, options?: CallOptions): Promise<Answer<OutboundMessage>>;
  /** Cancel a message that has not left yet. */
  cancel(sid: string, options?: WriteOptions): Promise<Answer<OutboundMessage>>;
  /**
   * Why a message did or did not arrive. In sentences, and everything that was decided and happened, in order:
   * checks, route, attempts, receipts, deliveries of its webhooks.
   */
  why(sid: string, options?: CallOptions): Promise<Answer<MessageTrail>>;
  readonly inbound: {
    /** List received messages. */
    list(options?: ListInboundMessagesQuery & CallOptions): Listing<InboundMessage>;
    /** A received message. */
    get(sid: string, options?: CallOptions): Promise<Answer<InboundMessage>>;
  };
}

/** Calls: placing them, their state and history, and ending them. */
export interface Calls {
  /**
   * Place a call. Calls `from` first; when it has answered, calls `to` and connects both. With `script` or
   * `scriptUrl` instead of `from`, calls `to` and runs that program for it. Answered when the call is stored;
   * how it goes is told by `CallStatusChangedWebhook`.
   */
  place(body: CallOrder, options?: WriteOptions): Promise<Answer<Call>>;
  /** List calls. */
  list(options?: ListCallsQuery & CallOptions): Listing<Call>;
  /** A call. */
  get(sid: string, options?: CallOptions): Promise<Answer<Call>>;
  /**
   * Hang up a call. A call that has ended is answered as it is. While the process that has the call does not
   * answer it is 503; it ends the call when it does.
   */
  hangUp(sid: string, options?: WriteOptions): Promise<Answer<Call>>;
  /**
   * Make a call go on with another program. At once, whatever is under way: the first party hears no more of it,
   * and a second party is hung up. Answered when the call goes on with it; what is not done within 5 seconds is
   * withdrawn and answered by 503.
   */
  redirect(sid: string, body: CallRedirection, options?: WriteOptions): Promise<Answer<Call>>;
  /** Delete a call with everything that belongs to it. */
  delete(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  /**
   * Pause or resume the recording of a call. Answered when it is done; what is not done within 5 seconds is
   * withdrawn and answered by 503. Each resume begins a new segment; what is so already is answered as it is.
   * Before the parties are connected it says how recording will begin.
   */
  controlRecording(sid: string, action: RecordingControl["action"], options?: WriteOptions): Promise<Answer<CallRecording>>;
  /**
   * Why a call went as it did. In sentences, and everything that was decided and happened, in order, with the
   * webhooks it sent.
   */
  why(sid: string, options?: CallOptions): Promise<Answer<CallTrail>>;
  /** The SIP messages of a call. In order: the first 150 and the last 50. */
  sipMessages(sid: string, options?: CallOptions): Listing<SipMessage>;
  /** The SIP messages of a call as packets. A capture file for Wireshark or sngrep. */
  sipCapture(sid: string, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /**
   * The audio of a recording. One segment as MP3: the first leg on the left, the second on the right; of a
   * recording that a program has made, by its sid, the first leg alone. Takes `Range` and `If-None-Match`. Needs
   * no credentials with the signature of the link that the call and its event name, which is good for seven
   * days.
   */
  recording(sid: string, index: number | string, options?: GetRecordingQuery & CallOptions): Promise<Answer<Uint8Array>>;
}

/** Conferences: who is in them, muting and removing participants, and ending them. */
export interface Conferences {
  /** List conferences. */
  list(options?: ListConferencesQuery & CallOptions): Listing<Conference>;
  /** A conference with its participants. */
  get(sid: string, options?: CallOptions): Promise<Answer<Conference>>;
  /**
   * End a conference. The programs of its calls go on. One that has ended is answered as it is. What the process
   * that has the conference does not do within 5 seconds is answered by 503.
   */
  end(sid: string, options?: WriteOptions): Promise<Answer<Conference>>;
  /**
   * Mute a participant, or put it on hold. On hold it hears music, and the others do not hear it. What the
   * process that has the conference does not do within 5 seconds is answered by 503.
   */
  change(sid: string, callSid: string, body: ParticipantChange, options?: CallOptions): Promise<Answer<ConferenceParticipant>>;
  /**
   * Remove a participant. The program of its call goes on. What the process that has the conference does not do
   * within 5 seconds is answered by 503.
   */
  remove(sid: string, callSid: string, options?: CallOptions): Promise<Answer<undefined>>;
}

/** The account's numbers: finding available ones, taking one, changing it, giving it back. */
export interface Phones {
  /** List your numbers. Those that were removed are shown only when `Status` asks for them. */
  list(options?: ListPhonesQuery & CallOptions): Listing<Phone>;
  /** Numbers that can be had. */
  available(options?: ListAvailablePhonesQuery & CallOptions): Listing<AvailablePhone>;
  /** Take a number. One of those that `GET /v1/Phones/Available` shows. 409 when it serves an account already. */
  create(body: PhoneOrder, options?: WriteOptions): Promise<Answer<Phone>>;
  /** A number. Also one that was removed, until you take it again. */
  get(phone: string, options?: CallOptions): Promise<Answer<Phone>>;
  /** Change a number. Only the members given are changed. Its status follows: see `statusReason`. */
  change(phone: string, body: PhoneChange, options?: CallOptions): Promise<Answer<Phone>>;
  /**
   * Give a number back. Others may take it from then on. A number that is being ported in goes with its port
   * order: 409.
   */
  remove(phone: string, options?: CallOptions): Promise<Answer<undefined>>;
  /** Where a number's calls go. */
  voice(phone: string, options?: CallOptions): Promise<Answer<VoiceSettings>>;
  /**
   * Say where a number's calls go. Replaces the settings: what is not given is as at the beginning. 409 while
   * the number has no VOICE.
   */
  replaceVoice(phone: string, body: VoiceSettingsOrder, options?: CallOptions): Promise<Answer<VoiceSettings>>;
  /** Change where a number's calls go. Only the members given are changed. 409 while the number has no VOICE. */
  changeVoice(phone: string, body: VoiceSettingsChange, options?: CallOptions): Promise<Answer<VoiceSettings>>;
}

/** MessagingConfigs: settings for sending, and the numbers that they apply to. */
export interface MessagingConfigs {
  /** Make a MessagingConfig. */
  create(body: MessagingConfigOrder, options?: WriteOptions): Promise<Answer<MessagingConfig>>;
  /** List MessagingConfigs. */
  list(options?: ListMessagingConfigsQuery & CallOptions): Listing<MessagingConfig>;
  /** A MessagingConfig. */
  get(sid: string, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  /**
   * Replace a MessagingConfig. What is not given is as at the beginning, but for the link: `tcrCampaignId`
   * changes only when it is named, and null unlinks.
   */
  replace(sid: string, body: MessagingConfigReplacement, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  /**
   * Change a MessagingConfig. Only the members given are changed. `tcrCampaignId` links a campaign and null
   * unlinks it; its numbers follow. 409 when the campaign is linked to another config.
   */
  change(sid: string, body: MessagingConfigChange, options?: CallOptions): Promise<Answer<MessagingConfig>>;
  /**
   * Delete a MessagingConfig. 409 while numbers belong to it. Its campaign can be linked to another one
   * afterwards.
   */
  remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  /** The numbers of a MessagingConfig. */
  phones(sid: string, options?: ListMessagingConfigPhonesQuery & CallOptions): Listing<Phone>;
  /**
   * Add numbers to a MessagingConfig. Each by itself: those that fail say why. A number that belongs to another
   * config is moved here.
   */
  addPhones(sid: string, phones: PhonesToAdd["phones"], options?: CallOptions): Promise<Answer<PhonesAssigned>>;
  /** Take numbers out of a MessagingConfig. Each by itself: those that fail say why. The numbers stay yours. */
  deletePhones(sid: string, phones: PhonesToDelete["phones"], options?: CallOptions): Promise<Answer<PhonesAssigned>>;
}

/** Campaigns of the registry, as they were imported. */
export interface Campaigns {
  /** List campaigns. */
  list(options?: ListTcrCampaignsQuery & CallOptions): Listing<TcrCampaign>;
  /** A campaign. */
  get(tcrCampaignId: string, options?: CallOptions): Promise<Answer<TcrCampaign>>;
  /**
   * Link a campaign to a MessagingConfig. Null unlinks it. The numbers of the config it leaves and of the one it
   * comes to follow. 409 when the config is linked to another campaign.
   */
  change(tcrCampaignId: string, body: TcrCampaignChange, options?: CallOptions): Promise<Answer<TcrCampaign>>;
}

/** Numbers ported in from other carriers. */
export interface PlainPortIn {
  /** List your port orders. */
  list(options?: ListPortOrdersQuery & CallOptions): Listing<PortOrder>;
  /** A port order. Each number has a result of its own. Voice and messaging move apart. */
  get(sid: string, options?: CallOptions): Promise<Answer<PortOrder>>;
  /**
   * Cancel a port order. For the numbers of which nothing has moved. The order is `Cancelled` when the losing
   * side has agreed; asking twice is asking once.
   */
  cancel(sid: string, options?: WriteOptions): Promise<Answer<PortOrder>>;
  /**
   * Can a number be ported in?. As far as can be told without asking its carrier, and what an order of it has to
   * say.
   */
  check(number: CheckPortabilityQuery["number"], options?: CallOptions): Promise<Answer<Portability>>;
  /**
   * A letter of authorization, filled in. From the data of an order that you are about to make: sign it, and
   * send it with the order.
   */
  letter(body: PortLetterData, options?: WriteOptions): Promise<Answer<Uint8Array>>;
  /** A letter of authorization for a port order. Filled in from the order as it is now. */
  letterOf(sid: string, options?: CallOptions): Promise<Answer<Uint8Array>>;
}

/** The progress of moving campaigns and their numbers here. */
export interface PlainMigrations {
  /**
   * List migrations of campaigns. Campaigns that have come to you, are on their way, or are only named by one of
   * your MessagingConfigs, by their ids.
   */
  list(options?: ListMigrationsQuery & CallOptions): Listing<MigrationSummary>;
  /**
   * The migration of a campaign, with everything that is known of it. What was found before, where the campaign
   * stands at the registry, its MessagingConfig, the port orders, every number with its timeline, what blocks
   * it, what to do next, and how long steps took. With `Numbers`, also whether these look portable; nothing is
   * submitted by asking.
   */
  get(tcrCampaignId: string, options?: GetMigrationQuery & CallOptions): Promise<Answer<Migration>>;
}

/** People who do not want messages from a number or a campaign. */
export interface OptOuts {
  /** List opt-outs. */
  list(options?: ListOptOutsQuery & CallOptions): Listing<OptOut>;
  /** Opt a number out. 200 when it has opted out already. The scope is one of your numbers or campaigns. */
  create(body: OptOutOrder, options?: WriteOptions): Promise<Answer<OptOut>>;
  /** Opt a number in again. Only if the person asked for it: they may write START themselves. */
  remove(query: DeleteOptOutQuery, options?: CallOptions): Promise<Answer<undefined>>;
}

/** Makes things happen in the simulated outside world. Without a sandbox: 404. */
export interface PlainSandbox {
  /** A subscriber sends a message to your numbers. */
  receiveMessage(body: EmulatedInboundMessage, options?: WriteOptions): Promise<Answer<Emulated>>;
  /** The carrier tells what became of a message. */
  settleMessage(body: EmulatedMessageStatus, options?: WriteOptions): Promise<Answer<Emulated>>;
  /**
   * Somebody calls your number. The caller speaks and hangs up after `durationSeconds`. With `answer` false the
   * telephone to which the call is forwarded rings and is not answered; otherwise it does what its number stands
   * for.
   */
  receiveCall(body: EmulatedInboundCall, options?: WriteOptions): Promise<Answer<Emulated>>;
  /**
   * The owner of a campaign migrates it to us. Makes the campaign at the simulated registry where it is unknown
   * there. It will be yours, whatever your MessagingConfigs are called. `campaignMigration` must be switched on
   * for your account.
   */
  migrateCampaign(body: EmulatedCampaignMigration, options?: WriteOptions): Promise<Answer<Emulated>>;
  /**
   * The losing carrier makes up its mind about a port order. `partial`: the later half of the numbers is
   * rejected, or the messaging of a single one, which becomes `Removed`. `exception`: it waits for your answer.
   * `delay`: three times as long. `focChange`: another date. `messagingLate`: voice at once, messaging later.
   * `silent`: never.
   */
  decidePort(body: EmulatedPort, options?: WriteOptions): Promise<Answer<Emulated>>;
}

/** Webhook subscriptions: the URLs that events are sent to. */
export interface Webhooks {
  /**
   * Subscribe to event types. Narrow it to a MessagingConfig or to a number of yours with `messagingConfigSid`
   * or `phone`: a narrower subscription takes the place of wider ones for its events. Of
   * `InboundCallReceivedWebhook` one is enabled per scope, because it is answered. An account may have as many
   * as `limits.webhooks` of `GET /v1/Account` says.
   */
  create(body: WebhookOrder, options?: WriteOptions): Promise<Answer<WebhookSubscriptionWithSecret>>;
  /** List subscriptions. */
  list(options?: ListWebhooksQuery & CallOptions): Listing<WebhookSubscription>;
  /** Event types, each with a sample of its fields. */
  types(options?: CallOptions): Listing<{
    readonly type: EventType;
    readonly sample: unknown;
  }>;
  /** A subscription. */
  get(sid: string, options?: CallOptions): Promise<Answer<WebhookSubscription>>;
  /**
   * Change a subscription. Only the members given are changed. Enabling it again forgets why it was switched
   * off.
   */
  change(sid: string, body: WebhookChange, options?: CallOptions): Promise<Answer<WebhookSubscription>>;
  /** Delete a subscription. What is still to be delivered to it is canceled. */
  remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  /**
   * Make a new signing secret. Every replaced one signs too for 24 hours: a delivery carries all their
   * signatures. A sixth within that time is refused with 409.
   */
  rotateSecret(sid: string, options?: WriteOptions): Promise<Answer<WebhookSubscriptionWithSecret>>;
  /**
   * Send a sample event to a subscription. Of the first of its types, even if it is switched off. It carries the
   * header `X-Event-Test: true`. Look at the delivery to see what became of it.
   */
  test(sid: string, options?: WriteOptions): Promise<Answer<WebhookDelivery>>;
}

/** The state of each event that was to be sent to a webhook, and sending it again. */
export interface PlainDeliveries {
  /** List deliveries with every attempt. */
  list(options?: ListDeliveriesQuery & CallOptions): Listing<WebhookDelivery>;
  /** A delivery with its body and every attempt. */
  get(sid: string, options?: CallOptions): Promise<Answer<DeliveryWithBody>>;
  /**
   * Deliver once more. Under the same `webhook-id`, so that a receiver that has it already can tell. 409 when
   * its subscription is gone, unless `url` is given: there it goes without a bearer, and signed with the
   * account's own secret when the subscription's is gone.
   */
  replay(sid: string, body: ReplayOneOrder | undefined, options?: WriteOptions): Promise<Answer<WebhookDelivery>>;
  /**
   * Deliver many once more. Everything that fits the filters, the oldest 10000 at most: to recover after an
   * outage give `status` Failed and `from`. To another `url` they go without the bearer. Those whose
   * subscription is gone are left out, unless `url` is given: then the account's own secret signs. What is being
   * delivered in this moment is left out.
   */
  replayMany(body: ReplayOrder, options?: WriteOptions): Promise<Answer<ReplayAnswer>>;
}

/** Every event of the account, subscribed or not. */
export interface PlainEvents {
  /**
   * List events. Who remembers the last `id` and asks with `After` now and then misses nothing: an event that is
   * stored later never gets a place before one that was listed.
   */
  list(options?: ListEventsQuery & CallOptions): Listing<AccountEvent>;
}

/** How many messages, calls and deliveries ended how. */
export interface Statistics {
  /**
   * How many ended how. What was sent, called and delivered to webhooks, by the hour or the day (of UTC) in
   * which it was made. A status that changes later moves its count. Without a span: the last 24 hours or 30
   * days; at most 31 days by the hour, and 366 days by the day. What was deleted stays counted.
   */
  get(query: GetStatisticsQuery, options?: CallOptions): Promise<Answer<StatisticsReport>>;
}

/** Finding what the account has: numbers, ids, names, and texts by their words. */
export interface AccountSearch {
  /**
   * Find a number, an id, a name or words of texts. The newest first, at most 20 of a kind and pages of texts. A
   * number may be spelled in any way: without a plus it is read in the account's country. Texts are found by all
   * words of the query, in any order, without case and accents; the last one may be the beginning of a word. In
   * scripts without blanks between words, any part is found. Of a text of more than 4,000 characters, the
   * beginning is searched. A text is found as soon as it was sent or received. Without times, texts of the last
   * 30 days are searched.
   */
  find(query: SearchAccountQuery, options?: CallOptions): Promise<Answer<AccountSearchResult>>;
}

/** Who changed what in the account, of the last 90 days. */
export interface Changes {
  /**
   * Who changed what. Of the last 90 days: what tokens and people of the account made, changed and deleted. Not
   * what was sent and called: messages and calls have lists of their own.
   */
  list(options?: ListChangesQuery & CallOptions): Listing<ChangeEntry>;
}

/** Refused requests of the last 7 days, and what became of any request. */
export interface Requests {
  /**
   * List refused requests. Of the last 7 days, without their bodies; there some seconds after the answer. Of
   * more than 100 within a minute with the same `code` some are left out.
   */
  list(options?: ListRequestsQuery & CallOptions): Listing<RefusedRequest>;
  /**
   * What became of a request. What it made: messages and calls for as long as they are kept, whoever gave the
   * id; port orders, MessagingConfigs and subscriptions where the id is one of ours. And how it was refused, for
   * 7 days. A repeat under an `Idempotency-Key` made nothing: ask by the id of the first request.
   */
  get(requestId: string, options?: CallOptions): Promise<Answer<RequestOutcome>>;
}

/** Signing in and out for pages that the server delivers, and who is signed in. */
export interface Sessions {
  /**
   * Sign in by a page. For browsers: the answer sets a cookie, and requests with it and without `Authorization`
   * have the rights of the token. Whatever is not read with GET also needs the header `X-Tandem-Session: 1`,
   * this operation too. A request may name whom the page shows as signed in, by `X-Tandem-Account: SID`, of an
   * operator `operator:NAME`; in the session of any other it is refused with 409 `other-account`. A session ends
   * after 12 hours without use, 7 days after it was opened, with its token, and when the account is suspended.
   */
  signIn(body: SessionOrder, options?: CallOptions): Promise<Answer<Session>>;
  /** Who has signed in. `null` where nobody has, and after the session has ended. */
  get(options?: CallOptions): Promise<Answer<Session | null>>;
  /** Sign out. */
  signOut(options?: EndSessionQuery & CallOptions): Promise<Answer<undefined>>;
  readonly views: {
    /**
     * Views that people have named. By name: those of the account, whoever saved them, or the operator's own. For
     * browsers that have signed in; requests with credentials in `Authorization` are refused.
     */
    list(options?: CallOptions): Listing<SavedView>;
    /**
     * Save a view. A page of the portal with its filters, under a name. 409 where the name is taken, and where
     * there are 100 already. For browsers that have signed in; requests with credentials in `Authorization` are
     * refused.
     */
    save(body: SavedViewOrder, options?: CallOptions): Promise<Answer<SavedView>>;
    /** Rename a view. For browsers that have signed in; requests with credentials in `Authorization` are refused. */
    rename(sid: string, name: SavedViewName["name"], options?: CallOptions): Promise<Answer<SavedView>>;
    /** Delete a view. For browsers that have signed in; requests with credentials in `Authorization` are refused. */
    remove(sid: string, options?: CallOptions): Promise<Answer<undefined>>;
  };
}

/** What needs somebody, grouped by its cause, and how much traffic there is. */
export interface Oversight {
  /**
   * What needs your attention. Everything that stands still or fails, grouped by its cause: errors first, the
   * newest first. Empty where all is well.
   */
  attention(options?: CallOptions): Promise<Answer<Attention>>;
  /**
   * Messages and calls by the minute. The oldest first, this minute last. Fewer minutes than asked for where
   * there were more than 100,000 messages.
   */
  traffic(options?: GetTrafficQuery & CallOptions): Promise<Answer<Traffic>>;
}

export interface ClientMethods {
  readonly lookup: PlainLookup;
  readonly account: AccountItself;
  readonly messages: PlainMessages;
  readonly calls: Calls;
  readonly conferences: Conferences;
  readonly phones: Phones;
  readonly messagingConfigs: MessagingConfigs;
  readonly campaigns: Campaigns;
  readonly portIn: PlainPortIn;
  readonly migrations: PlainMigrations;
  readonly optOuts: OptOuts;
  readonly sandbox: PlainSandbox;
  readonly webhooks: Webhooks;
  readonly deliveries: PlainDeliveries;
  readonly events: PlainEvents;
  readonly statistics: Statistics;
  readonly search: AccountSearch;
  readonly changes: Changes;
  readonly requests: Requests;
  readonly session: Sessions;
  readonly oversight: Oversight;
}

export function clientMethodsOf(order: ClientOrder): ClientMethods {
  return {
    lookup: {
      number: (number, options) =>
      ask(order, "GET /carrierLookup/v1/Numbers/{Number}", { ...options, params: { Number: number } }),
      details: (number, options) =>
      ask(order, "GET /carrierLookup/v1/Numbers/{Number}/details", { ...options, params: { Number: number } }),
      numbers: (numbers, options) =>
      ask(order, "POST /carrierLookup/v1/Numbers", { changesNothing: true, ...options, body: { numbers } }),
    },
    account: {
      get: (options) =>
      ask(order, "GET /v1/Account", { ...options }),
      createToken: (body, options) =>
      ask(order, "POST /v1/Account/tokens", { ...options, ...(body && { body }) }),
      promoteToken: (n, options) =>
      ask(order, "POST /v1/Account/tokens/{n}/promote", { ...options, params: { n: String(n) } }),
      deleteToken: (n, options) =>
      ask(order, "DELETE /v1/Account/tokens/{n}", { ...options, params: { n: String(n) } }),
      rotateWebhookSecret: (options) =>
      ask(order, "POST /v1/Account/webhookSecret", { ...options }),
      requestFeature: (feature, options) =>
      ask(order, "POST /v1/Account/featureRequests", { ...options, body: { feature } }),
      linkForSupport: (address, options) =>
      ask(order, "POST /v1/Account/supportLinks", { ...options, body: { address } }),
    },
    messages: {
      send: (body, options) =>
      ask(order, "POST /messaging/v1/OutboundMessages", { ...options, body }),
      rehearse: (body, options) =>
      ask(order, "POST /messaging/v1/OutboundMessages/dryRun", { changesNothing: true, ...options, body }),
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /messaging/v1/OutboundMessages", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /messaging/v1/OutboundMessages/{sid}", { ...options, params: { sid } }),
      cancel: (sid, options) =>
      ask(order, "POST /messaging/v1/OutboundMessages/{sid}/cancel", { ...options, params: { sid } }),
      why: (sid, options) =>
      ask(order, "GET /messaging/v1/OutboundMessages/{sid}/why", { ...options, params: { sid } }),
      inbound: {
        list: ({ signal, ...query } = {}) =>
              listing(order, "GET /messaging/v1/InboundMessages", { signal, query }),
        get: (sid, options) =>
              ask(order, "GET /messaging/v1/InboundMessages/{sid}", { ...options, params: { sid } }),
      },
    },
    calls: {
      place: (body, options) =>
      ask(order, "POST /v1/Voice/Calls", { ...options, body }),
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Voice/Calls", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /v1/Voice/Calls/{sid}", { ...options, params: { sid } }),
      hangUp: (sid, options) =>
      ask(order, "POST /v1/Voice/Calls/{sid}/hangup", { ...options, params: { sid } }),
      redirect: (sid, body, options) =>
      ask(order, "POST /v1/Voice/Calls/{sid}/redirect", { ...options, params: { sid }, body }),
      delete: (sid, options) =>
      ask(order, "DELETE /v1/Voice/Calls/{sid}", { ...options, params: { sid } }),
      controlRecording: (sid, action, options) =>
      ask(order, "POST /v1/Voice/Calls/{sid}/recording-control", { ...options, params: { sid }, body: { action } }),
      why: (sid, options) =>
      ask(order, "GET /v1/Voice/Calls/{sid}/why", { ...options, params: { sid } }),
      sipMessages: (sid, options) =>
      listing(order, "GET /v1/Voice/Calls/{sid}/sip", { ...options, params: { sid } }),
      sipCapture: (sid, options) =>
      ask(order, "GET /v1/Voice/Calls/{sid}/sip.pcap", { ...options, params: { sid } }),
      recording: (sid, index, { signal, ...query } = {}) =>
      ask(order, "GET /v1/Voice/Calls/{sid}/recordings/{index}", { signal, params: { sid, index: String(index) }, query }),
    },
    conferences: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Voice/Conferences", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /v1/Voice/Conferences/{sid}", { ...options, params: { sid } }),
      end: (sid, options) =>
      ask(order, "POST /v1/Voice/Conferences/{sid}/end", { ...options, params: { sid } }),
      change: (sid, callSid, body, options) =>
      ask(order, "PATCH /v1/Voice/Conferences/{sid}/participants/{callSid}", { ...options, params: { sid, callSid }, body }),
      remove: (sid, callSid, options) =>
      ask(order, "DELETE /v1/Voice/Conferences/{sid}/participants/{callSid}", { ...options, params: { sid, callSid } }),
    },
    phones: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Phones", { signal, query }),
      available: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Phones/Available", { signal, query }),
      create: (body, options) =>
      ask(order, "POST /v1/Phones", { ...options, body }),
      get: (phone, options) =>
      ask(order, "GET /v1/Phones/{phone}", { ...options, params: { phone } }),
      change: (phone, body, options) =>
      ask(order, "PATCH /v1/Phones/{phone}", { ...options, params: { phone }, body }),
      remove: (phone, options) =>
      ask(order, "DELETE /v1/Phones/{phone}", { ...options, params: { phone } }),
      voice: (phone, options) =>
      ask(order, "GET /v1/Phones/{phone}/voice", { ...options, params: { phone } }),
      replaceVoice: (phone, body, options) =>
      ask(order, "PUT /v1/Phones/{phone}/voice", { ...options, params: { phone }, body }),
      changeVoice: (phone, body, options) =>
      ask(order, "PATCH /v1/Phones/{phone}/voice", { ...options, params: { phone }, body }),
    },
    messagingConfigs: {
      create: (body, options) =>
      ask(order, "POST /v1/MessagingConfigs", { ...options, body }),
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/MessagingConfigs", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /v1/MessagingConfigs/{sid}", { ...options, params: { sid } }),
      replace: (sid, body, options) =>
      ask(order, "PUT /v1/MessagingConfigs/{sid}", { ...options, params: { sid }, body }),
      change: (sid, body, options) =>
      ask(order, "PATCH /v1/MessagingConfigs/{sid}", { ...options, params: { sid }, body }),
      remove: (sid, options) =>
      ask(order, "DELETE /v1/MessagingConfigs/{sid}", { ...options, params: { sid } }),
      phones: (sid, { signal, ...query } = {}) =>
      listing(order, "GET /v1/MessagingConfigs/{sid}/phones", { signal, params: { sid }, query }),
      addPhones: (sid, phones, options) =>
      ask(order, "PATCH /v1/MessagingConfigs/{sid}/addPhones", { ...options, params: { sid }, body: { phones } }),
      deletePhones: (sid, phones, options) =>
      ask(order, "PATCH /v1/MessagingConfigs/{sid}/deletePhones", { ...options, params: { sid }, body: { phones } }),
    },
    campaigns: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/TcrCampaigns", { signal, query }),
      get: (tcrCampaignId, options) =>
      ask(order, "GET /v1/TcrCampaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId } }),
      change: (tcrCampaignId, body, options) =>
      ask(order, "PATCH /v1/TcrCampaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId }, body }),
    },
    portIn: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Phones/port-in", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /v1/Phones/port-in/{sid}", { ...options, params: { sid } }),
      cancel: (sid, options) =>
      ask(order, "POST /v1/Phones/port-in/{sid}/cancel", { ...options, params: { sid } }),
      check: (number, options) =>
      ask(order, "GET /v1/Phones/port-in/check", { ...options, query: { number } }),
      letter: (body, options) =>
      ask(order, "POST /v1/Phones/port-in/loa", { changesNothing: true, ...options, body }),
      letterOf: (sid, options) =>
      ask(order, "GET /v1/Phones/port-in/{sid}/loa", { ...options, params: { sid } }),
    },
    migrations: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Migrations", { signal, query }),
      get: (tcrCampaignId, { signal, ...query } = {}) =>
      ask(order, "GET /v1/Migrations/{tcrCampaignId}", { signal, params: { tcrCampaignId }, query }),
    },
    optOuts: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/OptOuts", { signal, query }),
      create: (body, options) =>
      ask(order, "POST /v1/OptOuts", { ...options, body }),
      remove: (query, options) =>
      ask(order, "DELETE /v1/OptOuts", { ...options, query }),
    },
    sandbox: {
      receiveMessage: (body, options) =>
      ask(order, "POST /testkit/v1/Emulate/inbound-message", { ...options, body }),
      settleMessage: (body, options) =>
      ask(order, "POST /testkit/v1/Emulate/outbound-message-status", { ...options, body }),
      receiveCall: (body, options) =>
      ask(order, "POST /testkit/v1/Emulate/inbound-call", { ...options, body }),
      migrateCampaign: (body, options) =>
      ask(order, "POST /testkit/v1/Emulate/campaign-migration", { ...options, body }),
      decidePort: (body, options) =>
      ask(order, "POST /testkit/v1/Emulate/port", { ...options, body }),
    },
    webhooks: {
      create: (body, options) =>
      ask(order, "POST /v1/Webhooks", { ...options, body }),
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Webhooks", { signal, query }),
      types: (options) =>
      listing(order, "GET /v1/Webhooks/types", { ...options }),
      get: (sid, options) =>
      ask(order, "GET /v1/Webhooks/{sid}", { ...options, params: { sid } }),
      change: (sid, body, options) =>
      ask(order, "PATCH /v1/Webhooks/{sid}", { ...options, params: { sid }, body }),
      remove: (sid, options) =>
      ask(order, "DELETE /v1/Webhooks/{sid}", { ...options, params: { sid } }),
      rotateSecret: (sid, options) =>
      ask(order, "POST /v1/Webhooks/{sid}/rotateSecret", { ...options, params: { sid } }),
      test: (sid, options) =>
      ask(order, "POST /v1/Webhooks/{sid}/test", { ...options, params: { sid } }),
    },
    deliveries: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Webhooks/deliveries", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /v1/Webhooks/deliveries/{sid}", { ...options, params: { sid } }),
      replay: (sid, body, options) =>
      ask(order, "POST /v1/Webhooks/deliveries/{sid}/replay", { ...options, params: { sid }, ...(body && { body }) }),
      replayMany: (body, options) =>
      ask(order, "POST /v1/Webhooks/deliveries/replay", { ...options, body }),
    },
    events: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Events", { signal, query }) as Listing<AccountEvent>,
    },
    statistics: {
      get: (query, options) =>
      ask(order, "GET /v1/Statistics", { ...options, query }),
    },
    search: {
      find: (query, options) =>
      ask(order, "GET /v1/Search", { ...options, query }),
    },
    changes: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Changes", { signal, query }),
    },
    requests: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /v1/Requests", { signal, query }),
      get: (requestId, options) =>
      ask(order, "GET /v1/Requests/{requestId}", { ...options, params: { requestId } }),
    },
    session: {
      signIn: (body, options) =>
      ask(order, "POST /v1/Session", { changesNothing: true, ...options, body }),
      get: (options) =>
      ask(order, "GET /v1/Session", { ...options }),
      signOut: ({ signal, ...query } = {}) =>
      ask(order, "DELETE /v1/Session", { signal, query }),
      views: {
        list: (options) =>
              listing(order, "GET /v1/Session/Views", { ...options }),
        save: (body, options) =>
              ask(order, "POST /v1/Session/Views", { changesNothing: true, ...options, body }),
        rename: (sid, name, options) =>
              ask(order, "PATCH /v1/Session/Views/{sid}", { ...options, params: { sid }, body: { name } }),
        remove: (sid, options) =>
              ask(order, "DELETE /v1/Session/Views/{sid}", { ...options, params: { sid } }),
      },
    },
    oversight: {
      attention: (options) =>
      ask(order, "GET /v1/Attention", { ...options }),
      traffic: ({ signal, ...query } = {}) =>
      ask(order, "GET /v1/Traffic", { signal, query }),
    },
  };
}

/** Accounts as the operator sees them: making and changing them, and their tokens. */
export interface Accounts {
  /** List accounts. */
  list(options?: ListAccountsQuery & CallOptions): Listing<Account>;
  /** Make an account. */
  create(body: AccountOrder, options?: WriteOptions): Promise<Answer<NewAccount>>;
  /** An account. */
  get(sid: string, options?: CallOptions): Promise<Answer<Account>>;
  /**
   * Change, suspend or resume an account. Only the members given are changed. Where `messageDays`, `callDays` or
   * `eventDays` is set, what is older is deleted for good, from the next moments on. A suspended account may
   * look at itself and nothing else. 409 for a `suspendedReason` of one that is not.
   */
  change(sid: string, body: AccountChange, options?: CallOptions): Promise<Answer<Account>>;
  /** Make a second token for an account. */
  createToken(sid: string, body: TokenOrder | undefined, options?: WriteOptions): Promise<Answer<NewToken>>;
  /** Let an account's token sign. 409 when it is no signing token. */
  promoteToken(sid: string, n: number, options?: WriteOptions): Promise<Answer<undefined>>;
  /** Delete an account's token. */
  deleteToken(sid: string, n: number, options?: CallOptions): Promise<Answer<undefined>>;
}

/** What accounts have asked for. */
export interface FeatureRequests {
  /** List feature requests. */
  list(options?: ListFeatureRequestsQuery & CallOptions): Listing<FeatureRequest>;
  /** Grant or decline a feature request. Granting switches the feature on. */
  decide(sid: string, status: FeatureDecision["status"], options?: CallOptions): Promise<Answer<FeatureRequest>>;
}

/** The operators' own tokens. */
export interface OperatorTokens {
  /** List operator tokens. */
  list(options?: CallOptions): Listing<OperatorToken>;
  /**
   * Make an operator token. Its name stands in the audit log beside everything done with it. The role `support`
   * reads, and is refused everything else with 403.
   */
  create(body: OperatorTokenOrder, options?: WriteOptions): Promise<Answer<NewOperatorToken>>;
  /** Delete an operator token. 409 when it is the only one of the role `admin`. */
  remove(name: string, options?: CallOptions): Promise<Answer<undefined>>;
}

/** What operators did. */
export interface AuditLog {
  /** What operators did. */
  list(options?: ListAuditLogQuery & CallOptions): Listing<AuditEntry>;
}

/** What lookups of a number answer, whatever else is known of it. */
export interface LookupOverrides {
  /** List lookup overrides. */
  list(options?: ListLookupOverridesQuery & CallOptions): Listing<LookupOverride>;
  /** A number's lookup override. */
  get(number: string, options?: CallOptions): Promise<Answer<LookupOverride>>;
  /** Say what lookups of a number answer. */
  put(number: string, body: LookupOverrideOrder, options?: CallOptions): Promise<Answer<LookupOverride>>;
  /** Take a lookup override away. */
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

/** The numbers that accounts can have. */
export interface Inventory {
  /** List the number inventory. */
  list(options?: ListInventoryQuery & CallOptions): Listing<InventoryNumber>;
  /**
   * Add numbers to the inventory. All or none: one that is no phone number refuses the whole request. Numbers
   * already here stay as they are. With a `country` they are short codes, of 3 to 8 digits; each stands once,
   * whatever its country.
   */
  add(body: InventoryOrder, options?: WriteOptions): Promise<Answer<InventoryAdded>>;
  /**
   * Give a number of the inventory to an account. With the same result and events as if the account had taken
   * it. 409, which names the account, when it serves one already.
   */
  assign(number: string, body: NumberAssignment, options?: WriteOptions): Promise<Answer<Phone>>;
  /** Take a number out of the inventory. 409 while it serves an account. */
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

/** The port orders of all accounts, and moving them along by hand. */
export interface PortOrders {
  /** List port orders. */
  list(options?: ListAllPortOrdersQuery & CallOptions): Listing<OwnedPortOrder>;
  /** A port order. */
  get(sid: string, options?: CallOptions): Promise<Answer<OwnedPortOrder>>;
  /** A document of a port order. As it was sent; its type is that of its content. */
  document(sid: string, place: number, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /** Reveal the PINs of a port order. For an operator who ports by hand. A closed order has none any more. */
  revealPins(sid: string, options?: WriteOptions): Promise<Answer<PortPins>>;
  /** Confirm the date of a port. */
  confirmDate(sid: string, body: PortDate, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
  /** Say that numbers have moved. Voice and messaging, or one of them. */
  complete(sid: string, body?: PortCompletion, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
  /** Say that numbers will not come. They become `Removed`, with the reason. */
  reject(sid: string, body: PortRejection, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
  /** Ask the account to put something right. It answers with `PATCH /v1/Phones/port-in/{sid}`. */
  hold(sid: string, body: PortException, options?: WriteOptions): Promise<Answer<OwnedPortOrder>>;
}

/** The campaigns of all accounts: those of the registry, and those kept by hand. */
export interface OwnedCampaigns {
  /** List the campaigns of all accounts. */
  list(options?: ListCampaignsQuery & CallOptions): Listing<OwnedTcrCampaign>;
  /** A campaign of any account. */
  get(tcrCampaignId: string, options?: CallOptions): Promise<Answer<OwnedTcrCampaign>>;
  /**
   * Enter a campaign by hand. Where no registry is connected; 409 where one is. It is `Active`, and linked to
   * the MessagingConfig of its account whose name has its id, as an imported one is; `TcrCampaignImported`
   * tells. A registry that is connected later takes it over when it calls it ours.
   */
  enter(body: CampaignOrder, options?: WriteOptions): Promise<Answer<OwnedTcrCampaign>>;
  /**
   * Suspend, expire, reactivate or move a campaign. What it is called and how it stands can be changed of
   * campaigns that are kept by hand; 409 for those of a connected registry. Changes are told by
   * `TcrCampaignStatusChanged`, and the numbers of its config follow. Another `accountSid` moves any campaign:
   * it is unlinked there, and imported here.
   */
  change(tcrCampaignId: string, body: CampaignChange, options?: CallOptions): Promise<Answer<OwnedTcrCampaign>>;
  /**
   * Campaigns that wait for somebody to say whose they are. The registry does not tell which account a campaign
   * is for. It is the one with a MessagingConfig in whose name the campaign's id stands as a word (or, where no
   * account has that, inside a longer word), if `campaignMigration` is on for it; where there is none, or more
   * than one, the campaign waits here until there is one or it is assigned.
   */
  unassigned(options?: ListUnassignedCampaignsQuery & CallOptions): Listing<UnassignedCampaign>;
  /**
   * Say whose a campaign is. Also before it comes. A campaign that is ours already is imported at once; one that
   * was imported for another account is moved: unlinked there, and imported here.
   */
  assign(tcrCampaignId: string, body: CampaignAssignment, options?: WriteOptions): Promise<Answer<AssignedCampaign>>;
}

/** The links to carriers. */
export interface Links {
  /**
   * Links to carriers and how they fare. One process at a time keeps the links; the others answer what it told
   * last.
   */
  list(options?: CallOptions): Listing<CarrierLink>;
  /**
   * Stop a link. It lets submits under way finish, unbinds, and stays so, also after a restart and in whatever
   * process, until it is started. Messages take other links, or wait. What the carrier has for us it keeps until
   * then. Stopping it again changes nothing.
   */
  stop(name: string, options?: WriteOptions): Promise<Answer<CarrierLinkSwitch>>;
  /** Start a link that was stopped. Starting one that runs changes nothing. */
  start(name: string, options?: WriteOptions): Promise<Answer<CarrierLinkSwitch>>;
}

/** The SIP trunks. */
export interface Trunks {
  /** SIP trunks and how they fare. Over all nodes that handle calls. Each reports every five seconds. */
  list(options?: CallOptions): Listing<Trunk>;
  /**
   * Stop a trunk. It takes and brings no new calls, also after a restart and in whatever process, until it is
   * started; calls under way go on. Stopping it again changes nothing.
   */
  stop(name: string, options?: WriteOptions): Promise<Answer<TrunkSwitch>>;
  /** Start a trunk that was stopped. Starting one that runs changes nothing. */
  start(name: string, options?: WriteOptions): Promise<Answer<TrunkSwitch>>;
}

/** The routes of the config file. */
export interface Routes {
  /**
   * Routes, and what each link and trunk takes of them. As the config file has them, in the order in which they
   * are tried: the first that fits decides. Calls take the first trunk that answers, by priority.
   */
  list(options?: CallOptions): Listing<Route>;
}

/** Recordings with which something went wrong. */
export interface TroubledRecordings {
  /** Recordings with which something went wrong. */
  list(options?: ListTroubledRecordingsQuery & CallOptions): Listing<TroubledRecording>;
  /**
   * Make the files of a failed recording after all. Encodes the segments again that were given up; their raw
   * audio was kept.
   */
  retry(sid: string, options?: WriteOptions): Promise<Answer<undefined>>;
}

/** The subscriptions of all accounts. */
export interface OwnedWebhooks {
  /**
   * List subscriptions of all accounts. `Enabled=false` with a `disabledReason`: switched off by a 410 or by
   * five days of nothing but failures.
   */
  list(options?: ListAllWebhooksQuery & CallOptions): Listing<OwnedWebhookSubscription>;
}

/** Links by which people of an account show what they see. */
export interface SupportLinks {
  /**
   * What a link for support names. The account, and the address of the page as it sees it. Entered in the audit
   * log.
   */
  open(sid: string, options?: CallOptions): Promise<Answer<OpenedSupportLink>>;
}

/** Finding what a caller can name, over all accounts. */
export interface Search {
  /**
   * Find a number, a sid, a request id or an account's name. Over all accounts, the newest first, at most 20 of
   * a kind. A number may be spelled in any way: without a plus it is read in the countries of the accounts.
   * Entered in the audit log.
   */
  find(query: SearchQuery, options?: CallOptions): Promise<Answer<SearchResult>>;
}

/** Whose a number is. */
export interface PhoneOwners {
  /**
   * Whose a number is. The account that has it, and those that had it before (`Removed`), the newest first. A
   * number may be spelled in any way: without a plus it is read in the countries of the accounts. Entered in the
   * audit log.
   */
  find(query: FindPhoneQuery, options?: CallOptions): Promise<Answer<OwnedPhones>>;
}

/** Refused requests of all callers, and what became of any request. */
export interface OwnedRequests {
  /**
   * List refused requests of all callers. Also those whose credentials were wrong. Of the last 7 days, without
   * their bodies. Entered in the audit log.
   */
  list(options?: ListAllRequestsQuery & CallOptions): Listing<OwnedRefusedRequest>;
  /**
   * What became of a request of any caller. What it made: messages and calls for as long as they are kept,
   * whoever gave the id; port orders, MessagingConfigs and subscriptions where the id is one of ours. And how it
   * was refused, for 7 days. A repeat under an `Idempotency-Key` made nothing: ask by the id of the first
   * request. Entered in the audit log.
   */
  get(requestId: string, options?: CallOptions): Promise<Answer<OwnedRequestOutcome>>;
}

/** The processes that serve the database. */
export interface Nodes {
  /**
   * The processes that serve the database. Each reports every five seconds. One that ended without saying so is
   * listed as `Silent` for a day, or until a process takes its place.
   */
  list(options?: CallOptions): Listing<Node>;
  /**
   * Drain a node. Within five seconds the process does what SIGTERM makes it do: it is no longer ready, serves
   * on for `TANDEM_LAME_DUCK_SECONDS`, takes no new calls, lets calls and requests end for
   * `TANDEM_DRAIN_SECONDS`, leaves sending and webhooks to other nodes, and ends with code 0. One that is silent
   * does so when it reports again. Asking again changes nothing.
   */
  drain(sid: string, options?: WriteOptions): Promise<Answer<Node>>;
}

/** Work that brings what is here to what is. */
export interface Reconciles {
  /**
   * The last run of each reconcile. A reconcile brings what Tandem has to what is: campaigns to what the
   * registry says, port orders to what the clearing house says. A run with nothing to do is entered once a
   * minute at most.
   */
  list(options?: CallOptions): Listing<Reconcile>;
}

/** The events of all accounts. */
export interface PlainOwnedEvents {
  /** List events of all accounts. Entered in the audit log. */
  list(options?: ListAllEventsQuery & CallOptions): Listing<OwnedAccountEvent>;
}

/** What needs somebody, of all accounts and of the service itself. */
export interface OperatorOversight {
  /**
   * What needs the operators' attention. Links and trunks that are down, what waits for a decision, and what
   * fails at the accounts, grouped by its cause. Links and trunks as this process knows them.
   */
  attention(options?: CallOptions): Promise<Answer<OperatorAttention>>;
}

export interface OperatorMethods {
  readonly accounts: Accounts;
  readonly featureRequests: FeatureRequests;
  readonly tokens: OperatorTokens;
  readonly auditLog: AuditLog;
  readonly lookupOverrides: LookupOverrides;
  readonly numbers: Inventory;
  readonly portOrders: PortOrders;
  readonly campaigns: OwnedCampaigns;
  readonly links: Links;
  readonly trunks: Trunks;
  readonly routes: Routes;
  readonly recordings: TroubledRecordings;
  readonly webhooks: OwnedWebhooks;
  readonly supportLinks: SupportLinks;
  readonly search: Search;
  readonly phones: PhoneOwners;
  readonly requests: OwnedRequests;
  readonly nodes: Nodes;
  readonly reconciles: Reconciles;
  readonly events: PlainOwnedEvents;
  readonly oversight: OperatorOversight;
}

export function operatorMethodsOf(order: ClientOrder): OperatorMethods {
  return {
    accounts: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts", { signal, query }),
      create: (body, options) =>
      ask(order, "POST /operator/v1/Accounts", { ...options, body }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{sid}", { ...options, params: { sid } }),
      change: (sid, body, options) =>
      ask(order, "PATCH /operator/v1/Accounts/{sid}", { ...options, params: { sid }, body }),
      createToken: (sid, body, options) =>
      ask(order, "POST /operator/v1/Accounts/{sid}/tokens", { ...options, params: { sid }, ...(body && { body }) }),
      promoteToken: (sid, n, options) =>
      ask(order, "POST /operator/v1/Accounts/{sid}/tokens/{n}/promote", { ...options, params: { sid, n: String(n) } }),
      deleteToken: (sid, n, options) =>
      ask(order, "DELETE /operator/v1/Accounts/{sid}/tokens/{n}", { ...options, params: { sid, n: String(n) } }),
    },
    featureRequests: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/FeatureRequests", { signal, query }),
      decide: (sid, status, options) =>
      ask(order, "PATCH /operator/v1/FeatureRequests/{sid}", { ...options, params: { sid }, body: { status } }),
    },
    tokens: {
      list: (options) =>
      listing(order, "GET /operator/v1/Tokens", { ...options }),
      create: (body, options) =>
      ask(order, "POST /operator/v1/Tokens", { ...options, body }),
      remove: (name, options) =>
      ask(order, "DELETE /operator/v1/Tokens/{name}", { ...options, params: { name } }),
    },
    auditLog: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/AuditLog", { signal, query }),
    },
    lookupOverrides: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/LookupOverrides", { signal, query }),
      get: (number, options) =>
      ask(order, "GET /operator/v1/LookupOverrides/{number}", { ...options, params: { number } }),
      put: (number, body, options) =>
      ask(order, "PUT /operator/v1/LookupOverrides/{number}", { ...options, params: { number }, body }),
      remove: (number, options) =>
      ask(order, "DELETE /operator/v1/LookupOverrides/{number}", { ...options, params: { number } }),
    },
    numbers: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Numbers", { signal, query }),
      add: (body, options) =>
      ask(order, "POST /operator/v1/Numbers", { ...options, body }),
      assign: (number, body, options) =>
      ask(order, "POST /operator/v1/Numbers/{number}/assign", { ...options, params: { number }, body }),
      remove: (number, options) =>
      ask(order, "DELETE /operator/v1/Numbers/{number}", { ...options, params: { number } }),
    },
    portOrders: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/PortOrders", { signal, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/PortOrders/{sid}", { ...options, params: { sid } }),
      document: (sid, place, options) =>
      ask(order, "GET /operator/v1/PortOrders/{sid}/documents/{place}", { ...options, params: { sid, place: String(place) } }),
      revealPins: (sid, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/revealPins", { ...options, params: { sid } }),
      confirmDate: (sid, body, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/foc", { ...options, params: { sid }, body }),
      complete: (sid, body = {}, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/complete", { ...options, params: { sid }, body }),
      reject: (sid, body, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/reject", { ...options, params: { sid }, body }),
      hold: (sid, body, options) =>
      ask(order, "POST /operator/v1/PortOrders/{sid}/exception", { ...options, params: { sid }, body }),
    },
    campaigns: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Campaigns", { signal, query }),
      get: (tcrCampaignId, options) =>
      ask(order, "GET /operator/v1/Campaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId } }),
      enter: (body, options) =>
      ask(order, "POST /operator/v1/Campaigns", { ...options, body }),
      change: (tcrCampaignId, body, options) =>
      ask(order, "PATCH /operator/v1/Campaigns/{tcrCampaignId}", { ...options, params: { tcrCampaignId }, body }),
      unassigned: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Campaigns/unassigned", { signal, query }),
      assign: (tcrCampaignId, body, options) =>
      ask(order, "POST /operator/v1/Campaigns/{tcrCampaignId}/assign", { ...options, params: { tcrCampaignId }, body }),
    },
    links: {
      list: (options) =>
      listing(order, "GET /operator/v1/Links", { ...options }),
      stop: (name, options) =>
      ask(order, "POST /operator/v1/Links/{name}/stop", { ...options, params: { name } }),
      start: (name, options) =>
      ask(order, "POST /operator/v1/Links/{name}/start", { ...options, params: { name } }),
    },
    trunks: {
      list: (options) =>
      listing(order, "GET /operator/v1/Trunks", { ...options }),
      stop: (name, options) =>
      ask(order, "POST /operator/v1/Trunks/{name}/stop", { ...options, params: { name } }),
      start: (name, options) =>
      ask(order, "POST /operator/v1/Trunks/{name}/start", { ...options, params: { name } }),
    },
    routes: {
      list: (options) =>
      listing(order, "GET /operator/v1/Routes", { ...options }),
    },
    recordings: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Recordings", { signal, query }),
      retry: (sid, options) =>
      ask(order, "POST /operator/v1/Recordings/{sid}/retry", { ...options, params: { sid } }),
    },
    webhooks: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Webhooks", { signal, query }),
    },
    supportLinks: {
      open: (sid, options) =>
      ask(order, "GET /operator/v1/SupportLinks/{sid}", { ...options, params: { sid } }),
    },
    search: {
      find: (query, options) =>
      ask(order, "GET /operator/v1/Search", { ...options, query }),
    },
    phones: {
      find: (query, options) =>
      ask(order, "GET /operator/v1/Phones", { ...options, query }),
    },
    requests: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Requests", { signal, query }),
      get: (requestId, options) =>
      ask(order, "GET /operator/v1/Requests/{requestId}", { ...options, params: { requestId } }),
    },
    nodes: {
      list: (options) =>
      listing(order, "GET /operator/v1/Nodes", { ...options }),
      drain: (sid, options) =>
      ask(order, "POST /operator/v1/Nodes/{sid}/drain", { ...options, params: { sid } }),
    },
    reconciles: {
      list: (options) =>
      listing(order, "GET /operator/v1/Reconciles", { ...options }),
    },
    events: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Events", { signal, query }) as Listing<OwnedAccountEvent>,
    },
    oversight: {
      attention: (options) =>
      ask(order, "GET /operator/v1/Attention", { ...options }),
    },
  };
}

/** An account as it sees itself; a client of the account can do the same. */
export interface AccountView {
  readonly changes: Pick<Changes, "list">;
  readonly phones: Pick<Phones, "list" | "get" | "voice">;
  readonly portIn: Pick<PlainPortIn, "list" | "get">;
  readonly messagingConfigs: Pick<MessagingConfigs, "list" | "get" | "phones">;
  readonly migrations: Pick<PlainMigrations, "list" | "get">;
  readonly optOuts: Pick<OptOuts, "list">;
  readonly messages: Pick<PlainMessages, "list" | "get" | "why" | "inbound">;
  readonly calls: Pick<Calls, "list" | "get" | "why" | "sipMessages">;
  readonly conferences: Pick<Conferences, "list" | "get">;
  readonly deliveries: Pick<PlainDeliveries, "list" | "get">;
  readonly events: Pick<PlainEvents, "list">;
  readonly requests: Pick<Requests, "list" | "get">;
  readonly oversight: Pick<Oversight, "attention" | "traffic">;
  readonly statistics: Pick<Statistics, "get">;
}

export function accountViewOf(order: ClientOrder, accountSid: string): AccountView {
  return {
    changes: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Changes", { signal, params: { accountSid }, query }),
    },
    phones: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Phones", { signal, params: { accountSid }, query }),
      get: (phone, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Phones/{phone}", { ...options, params: { accountSid, phone } }),
      voice: (phone, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Phones/{phone}/voice", { ...options, params: { accountSid, phone } }),
    },
    portIn: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Phones/port-in", { signal, params: { accountSid }, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Phones/port-in/{sid}", { ...options, params: { accountSid, sid } }),
    },
    messagingConfigs: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/MessagingConfigs", { signal, params: { accountSid }, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/MessagingConfigs/{sid}", { ...options, params: { accountSid, sid } }),
      phones: (sid, { signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/MessagingConfigs/{sid}/phones", { signal, params: { accountSid, sid }, query }),
    },
    migrations: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Migrations", { signal, params: { accountSid }, query }),
      get: (tcrCampaignId, { signal, ...query } = {}) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Migrations/{tcrCampaignId}", { signal, params: { accountSid, tcrCampaignId }, query }),
    },
    optOuts: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/OptOuts", { signal, params: { accountSid }, query }),
    },
    messages: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/OutboundMessages", { signal, params: { accountSid }, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/OutboundMessages/{sid}", { ...options, params: { accountSid, sid } }),
      why: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/OutboundMessages/{sid}/why", { ...options, params: { accountSid, sid } }),
      inbound: {
        list: ({ signal, ...query } = {}) =>
              listing(order, "GET /operator/v1/Accounts/{accountSid}/InboundMessages", { signal, params: { accountSid }, query }),
        get: (sid, options) =>
              ask(order, "GET /operator/v1/Accounts/{accountSid}/InboundMessages/{sid}", { ...options, params: { accountSid, sid } }),
      },
    },
    calls: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Voice/Calls", { signal, params: { accountSid }, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Voice/Calls/{sid}", { ...options, params: { accountSid, sid } }),
      why: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Voice/Calls/{sid}/why", { ...options, params: { accountSid, sid } }),
      sipMessages: (sid, options) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Voice/Calls/{sid}/sip", { ...options, params: { accountSid, sid } }),
    },
    conferences: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Voice/Conferences", { signal, params: { accountSid }, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Voice/Conferences/{sid}", { ...options, params: { accountSid, sid } }),
    },
    deliveries: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Webhooks/deliveries", { signal, params: { accountSid }, query }),
      get: (sid, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Webhooks/deliveries/{sid}", { ...options, params: { accountSid, sid } }),
    },
    events: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Events", { signal, params: { accountSid }, query }) as Listing<AccountEvent>,
    },
    requests: {
      list: ({ signal, ...query } = {}) =>
      listing(order, "GET /operator/v1/Accounts/{accountSid}/Requests", { signal, params: { accountSid }, query }),
      get: (requestId, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Requests/{requestId}", { ...options, params: { accountSid, requestId } }),
    },
    oversight: {
      attention: (options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Attention", { ...options, params: { accountSid } }),
      traffic: ({ signal, ...query } = {}) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Traffic", { signal, params: { accountSid }, query }),
    },
    statistics: {
      get: (query, options) =>
      ask(order, "GET /operator/v1/Accounts/{accountSid}/Statistics", { ...options, params: { accountSid }, query }),
    },
  };
}
