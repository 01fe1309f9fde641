// Every event the product emits: its type and the fields of its payload, in the order in which they are shown. To add
// an event, add an entry here. Events of one resource (`resourceSid`) are delivered in order.

export interface EventFields {
  readonly InboundMessageReceived: {
    readonly Sid: string;
    readonly From: string;
    readonly To: string;
    readonly AdditionalRecipients: readonly string[];
    readonly Text: string;
    readonly MediaUrls: readonly string[];
    readonly SegmentCount: number;
    /** Only when the conversation has one. */
    readonly ConversationMetadata?: string;
  };
  readonly OutboundMessageStatusChanged: {
    readonly Sid: string;
    readonly From: string;
    readonly To: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly ErrorCode: number;
    readonly ErrorDescription: string | null;
    readonly SegmentCount: number;
    readonly Carrier: string | null;
  };
  readonly OptOutChanged: {
    readonly Number: string;
    readonly ScopeType: string;
    readonly Scope: string;
    readonly Change: "OptedOut" | "OptedIn";
    readonly Keyword: string | null;
  };
  readonly InboundCallReceivedWebhook: {
    readonly CallSid: string;
    readonly LegSid: string;
    readonly From: string;
    readonly To: string;
  };
  readonly CallStatusChangedWebhook: {
    readonly CallSid: string;
    readonly LegSid: string;
    readonly Leg: "First" | "Second";
    readonly Direction: "Inbound" | "Outbound";
    readonly From: string;
    readonly To: string;
    readonly Status: string;
    readonly DurationSeconds: number | null;
    readonly EndReason: string | null;
  };
  readonly CallRecordingCompleted: {
    readonly CallSid: string;
    readonly RecordingSid: string;
    readonly DurationSeconds: number;
    /** Only for a recording that an instruction of a program has made. */
    readonly Source?: "Record" | "Conference";
    readonly ConferenceSid?: string;
    readonly Segments: readonly {
      readonly Index: number;
      readonly DurationSeconds: number;
      readonly SizeBytes: number;
      readonly Sha256: string;
      readonly Url: string;
    }[];
  };
  readonly CallStreamStatusChanged: {
    readonly CallSid: string;
    readonly StreamSid: string;
    /** Empty when the script names none. */
    readonly StreamName: string;
    readonly Status: "Started" | "Stopped" | "Failed";
    /** What went wrong; only of `Failed`. */
    readonly Error: string | null;
  };
  readonly ConferenceChanged: {
    readonly ConferenceSid: string;
    readonly Name: string;
    readonly Event: string;
    /** The participant, where it is about one. */
    readonly CallSid: string | null;
    readonly Label: string | null;
    readonly Muted: boolean | null;
    readonly Hold: boolean | null;
    readonly StartsOnEnter: boolean | null;
    readonly EndsOnExit: boolean | null;
    /** Why it has ended, or the participant has left. */
    readonly Reason: string | null;
    /** The participant whose leaving has ended it. */
    readonly EndedBy: string | null;
    readonly EndedByLabel: string | null;
  };
  readonly PhoneNumberStatusChanged: {
    readonly Number: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly Reason: string | null;
    readonly MessagingConfigSid: string | null;
    readonly PortOrderSid: string | null;
  };
  readonly TcrCampaignImported: {
    readonly TcrCampaignId: string;
    readonly TcrBrandId: string;
    readonly MessagingConfigSid: string | null;
    readonly LinkOutcome: "Linked" | "NoMatch" | "SeveralMatches";
    /** Only when the name of a config contains the id in another case. */
    readonly LinkHint?: string;
  };
  readonly TcrCampaignStatusChanged: {
    readonly TcrCampaignId: string;
    readonly Status: string;
    readonly PreviousStatus: string;
    readonly MessagingConfigSid: string | null;
  };
  readonly PortOrderStatusChanged: {
    readonly PortOrderSid: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly Reason: string | null;
    readonly Numbers: readonly string[];
  };
}

export type EventType = keyof EventFields;

/** May be stored with an event's fields; only payloads in Twilio's shape contain them. */
export interface HiddenFields {
  /** Content types of the media of an inbound message. */
  readonly MediaContentTypes?: readonly string[];
}

/** A subscription's `test` sends these, and the documentation shows them. */
export const EVENT_SAMPLES: { readonly [Type in EventType]: EventFields[Type] } = {
  InboundMessageReceived: {
    Sid: "IM01935f1e4c7b7000a3c41f0e5d9b2a17",
    From: "+14155550101",
    To: "+14155550100",
    AdditionalRecipients: [],
    Text: "Hello!",
    MediaUrls: [],
    SegmentCount: 1,
  },
  OutboundMessageStatusChanged: {
    Sid: "OM01935f1e4c7b7000a3c41f0e5d9b2a17",
    From: "+14155550100",
    To: "+14155550101",
    Status: "Delivered",
    PreviousStatus: "Sent",
    ErrorCode: 0,
    ErrorDescription: null,
    SegmentCount: 1,
    Carrier: "T-Mobile USA",
  },
  OptOutChanged: {
    Number: "+14155550101",
    ScopeType: "SenderPhoneNumber",
    Scope: "+14155550100",
    Change: "OptedOut",
    Keyword: "STOP",
  },
  InboundCallReceivedWebhook: {
    CallSid: "CA01935f1e4c7b7000a3c41f0e5d9b2a17",
    LegSid: "LG01935f1e4c7b7000a3c41f0e5d9b2a18",
    From: "+14155550101",
    To: "+14155550100",
  },
  CallStatusChangedWebhook: {
    CallSid: "CA01935f1e4c7b7000a3c41f0e5d9b2a17",
    LegSid: "LG01935f1e4c7b7000a3c41f0e5d9b2a18",
    Leg: "First",
    Direction: "Inbound",
    From: "+14155550101",
    To: "+14155550100",
    Status: "Completed",
    DurationSeconds: 42,
    EndReason: "Completed",
  },
  CallRecordingCompleted: {
    CallSid: "CA01935f1e4c7b7000a3c41f0e5d9b2a17",
    RecordingSid: "RE01935f1e4c7b7000a3c41f0e5d9b2a19",
    DurationSeconds: 40,
    Segments: [
      {
        Index: 1,
        DurationSeconds: 40,
        SizeBytes: 160_000,
        Sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        Url: "https://phone.example.com/v1/Voice/Calls/CA01935f1e4c7b7000a3c41f0e5d9b2a17/recordings/1",
      },
    ],
  },
  CallStreamStatusChanged: {
    CallSid: "CA01935f1e4c7b7000a3c41f0e5d9b2a17",
    StreamSid: "MZ01935f1e4c7b7000a3c41f0e5d9b2a1c",
    StreamName: "agent",
    Status: "Started",
    Error: null,
  },
  ConferenceChanged: {
    ConferenceSid: "CF01935f1e4c7b7000a3c41f0e5d9b2a20",
    Name: "Monday",
    Event: "ParticipantJoined",
    CallSid: "CA01935f1e4c7b7000a3c41f0e5d9b2a17",
    Label: null,
    Muted: false,
    Hold: false,
    StartsOnEnter: true,
    EndsOnExit: false,
    Reason: null,
    EndedBy: null,
    EndedByLabel: null,
  },
  PhoneNumberStatusChanged: {
    Number: "+14155550100",
    Status: "Active",
    PreviousStatus: "PendingTcrCampaignAdd",
    Reason: null,
    MessagingConfigSid: "MC01935f1e4c7b7000a3c41f0e5d9b2a1a",
    PortOrderSid: "PO01935f1e4c7b7000a3c41f0e5d9b2a1b",
  },
  TcrCampaignImported: {
    TcrCampaignId: "CABC123",
    TcrBrandId: "BXYZ789",
    MessagingConfigSid: "MC01935f1e4c7b7000a3c41f0e5d9b2a1a",
    LinkOutcome: "Linked",
  },
  TcrCampaignStatusChanged: {
    TcrCampaignId: "CABC123",
    Status: "Suspended",
    PreviousStatus: "Active",
    MessagingConfigSid: "MC01935f1e4c7b7000a3c41f0e5d9b2a1a",
  },
  PortOrderStatusChanged: {
    PortOrderSid: "PO01935f1e4c7b7000a3c41f0e5d9b2a1b",
    Status: "Completed",
    PreviousStatus: "FocConfirmed",
    Reason: null,
    Numbers: ["+14155550100"],
  },
};

export const EVENT_TYPES = Object.keys(EVENT_SAMPLES) as readonly EventType[];

/** Reads a type with or without the `Webhook` suffix, in any case. */
export function eventTypeOf(text: string): EventType | undefined {
  const wanted = bare(text);
  return EVENT_TYPES.find((type) => bare(type) === wanted);
}

function bare(type: string): string {
  return type.toLowerCase().replace(/webhook$/, "");
}

/** The only type whose receiver answers: its answer decides what happens to the call. */
export const ANSWERED_TYPE = "InboundCallReceivedWebhook" satisfies EventType;

/** What a subscription may name: `*` is every type except the one whose receiver answers. */
export const SUBSCRIBED_TYPES = [...EVENT_TYPES, "*"] as const;
export type SubscribedType = EventType | "*";

export const PAYLOAD_SHAPES = ["A", "B", "Twilio"] as const;
export type PayloadShape = (typeof PAYLOAD_SHAPES)[number];

/** An event to be stored in the transaction of the change it reports. */
export interface NewEvent<Type extends EventType = EventType> {
  readonly accountSid: string;
  readonly type: Type;
  /** Events of one resource are delivered in order. A call with its legs and recordings is one resource. */
  readonly resourceSid: string;
  readonly fields: EventFields[Type];
  /** The event's number within its resource, where the resource counts its events itself. */
  readonly sequence?: number;
  /** The number and config of the event, for subscriptions limited to one of them. */
  readonly phone?: string;
  readonly messagingConfigSid?: string;
  /** Delivers only to this subscription, enabled or not: its owner asked for a test. */
  readonly onlyTo?: string;
  /** Delivers to this URL instead of the subscriptions, signed with the account's own secret. */
  readonly callbackUrl?: string;
  /** A by default. */
  readonly callbackShape?: PayloadShape;
}

export interface StoredEvent {
  readonly accountSid: string;
  readonly type: EventType;
  readonly resourceSid: string;
  /** Counts the events of the resource from 1. */
  readonly sequence: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** `fields` as JSON text, where the store has it: most payloads are built from it without parsing. */
  readonly fieldsText?: string;
  readonly createdOn: Date;
}

/** Prefix of the resource sid of a test's sample; no other resource's sid begins with it. */
export const TEST_RESOURCE = "EV";

export function isTestEvent({ resourceSid }: Pick<StoredEvent, "resourceSid">): boolean {
  return resourceSid.startsWith(TEST_RESOURCE);
}

export interface Outbox {
  emit(events: readonly NewEvent[], now: Date): Promise<void>;
}
