// Every environment variable that is a setting. `config.example.env` is printed from this table.

import { z } from "zod";
import { readSecretKeys } from "../../adapters/secrets.ts";
import { serversOf } from "../../adapters/store/engine/writable-server.ts";
import { parseNetwork } from "../../base/cidr.ts";

const portNumber = z.coerce.number().int().min(0).max(65_535);
const text = z.string().trim().min(1);

/** Connections always go to a server that takes writes. */
function mayWrite(address: string): boolean {
  const wanted = new URLSearchParams(address.split("?")[1]).get("target_session_attrs");
  return wanted === null || wanted === "read-write" || wanted === "primary";
}

const RANGE_SIZE = 2_000;
/** Above the ports that are usually configured. */
const ANY_RANGE = { min: 33_000, max: 60_000 };

/** `20000-21999`; 0: any. */
const portRange = text.transform((value, context) => {
  const min = ANY_RANGE.min + 2 * Math.floor((Math.random() * (ANY_RANGE.max - ANY_RANGE.min - RANGE_SIZE)) / 2);
  if (value === "0") return { min, max: min + RANGE_SIZE - 1 };
  const [, first, last] = /^(\d{4,5})-(\d{4,5})$/.exec(value) ?? [];
  if (Number(first) >= 1024 && Number(last) <= 65_535 && Number(last) > Number(first)) {
    return { min: Number(first), max: Number(last) };
  }
  context.addIssue({ code: "custom", message: "a range of ports is wanted, such as 20000-21999" });
  return z.NEVER;
});

/** The first key seals, all keys open. */
const secretKeys = text.transform((value, context) => {
  const keys = readSecretKeys(value);
  if (keys) return keys;
  context.addIssue({
    code: "custom",
    message: "32 bytes in hex or base64 are wanted: openssl rand -base64 32; several keys are separated by commas",
  });
  return z.NEVER;
});

const httpUrl = text
  .refine((value) => /^https?:$/.test(protocolOf(value)), "an http:// or https:// address is wanted")
  .transform((value) => value.replace(/\/+$/, ""));

function protocolOf(value: string): string {
  try {
    return new URL(value).protocol;
  } catch {
    return "";
  }
}

const cidrList = text
  .transform((value) => value.split(",").map((part) => part.trim()))
  .refine(
    (parts) => parts.every((part) => part === "loopback" || parseNetwork(part) !== undefined),
    "addresses or networks separated by commas are wanted, as in 10.0.0.0/8,127.0.0.1",
  );

const originList = text
  .transform((value) => value.split(",").map((part) => part.trim()))
  .refine(
    (parts) => parts.every((part) => /^https?:$/.test(protocolOf(part)) && new URL(part).origin === part),
    "origins separated by commas are wanted, as browsers write them: https://portal.example.com",
  );

const ROLES = ["api", "worker"] as const;
export type Role = (typeof ROLES)[number];

interface Setting {
  readonly schema: z.ZodType;
  readonly about: string;
  /** Shown in the example file; by default the schema's own default. */
  readonly example?: string;
}

export const SETTINGS = {
  TANDEM_PORT: { schema: portNumber.default(8080), about: "Port of the API; 0 means any free one." },
  TANDEM_HOST: { schema: text.default("127.0.0.1"), about: "Address to listen on." },
  TANDEM_PUBLIC_URL: {
    schema: httpUrl.optional(),
    about: "How others reach the API, for links. By default made of host and port.",
    example: "https://phone.example.com",
  },
  TANDEM_TRUST_PROXY: {
    schema: cidrList.default([]),
    about: "Proxies whose X-Forwarded-For is believed. By default none.",
    example: "10.0.0.0/8",
  },
  TANDEM_CORS_ORIGINS: {
    schema: originList.default([]),
    about: "Origins of other sites whose pages may call the API from a browser. By default none.",
    example: "https://portal.example.com",
  },
  TANDEM_TLS_CERT: {
    schema: text.optional(),
    about: "PEM file with the certificate chain; needs TANDEM_TLS_KEY.",
    example: "/etc/tandem/cert.pem",
  },
  TANDEM_TLS_KEY: {
    schema: text.optional(),
    about: "PEM file with the certificate's key.",
    example: "/etc/tandem/key.pem",
  },
  TANDEM_METRICS_HOST: {
    schema: text.optional(),
    about: "Address of this machine on which /metrics answers besides loopback.",
    example: "10.0.0.5",
  },
  TANDEM_DATA_DIR: {
    schema: text.default("./data"),
    about: "Run-time state: database, secret key, demo credentials.",
  },
  TANDEM_DATABASE_URL: {
    schema: text
      .refine(
        (address) => /^postgres(ql)?:\/\//.test(address) && serversOf(address).every((server) => URL.canParse(server)),
        "a postgres:// address is wanted",
      )
      .refine(mayWrite, "target_session_attrs must be read-write: Tandem writes")
      .optional(),
    about:
      "An outside PostgreSQL (14 or newer) instead of the built-in one. Several servers, of which one takes writes: postgres://user@one:5432,two:5432/tandem?target_session_attrs=read-write.",
    example: "postgres://tandem:secret@db.example.com/tandem",
  },
  TANDEM_DATABASE_SECONDS: {
    schema: z.coerce.number().int().min(2).max(300).default(10),
    about:
      "How long to wait for the database: after that a request is answered with 503 and not carried out later, and another process takes the place of one that hangs.",
  },
  TANDEM_SECRET_KEY: {
    schema: secretKeys.optional(),
    about:
      "Encrypts what must be stored and read again. Made in the data directory by default; share it between nodes and back it up. Several keys, separated by commas: the first encrypts, all decrypt (`tandem keys rotate`).",
    example: "",
  },
  TANDEM_ACCEPT_NEW_KEY: {
    schema: z.enum(["on", "off"]).default("off"),
    about:
      "For one start after the secret key was lost: accept another one. What the lost one encrypted cannot be read any more.",
  },
  TANDEM_OPERATOR_TOKEN: {
    schema: text.min(16, "at least 16 characters are wanted").optional(),
    about: "Token of the operator named `environment`. Without it a first token is made and printed once.",
    example: "",
  },
  TANDEM_ALLOWED_NETWORKS: {
    schema: cidrList.default([]),
    about:
      "Private networks that webhooks and media may be sent to or fetched from; the sandbox adds loopback. By default none.",
    example: "10.1.2.0/24",
  },
  TANDEM_ALLOWED_PORTS: {
    schema: text
      .regex(/^\d{1,5}(,\d{1,5})*$/, "ports separated by commas are wanted, as in 80,443")
      .transform((value) => value.split(",").map(Number))
      .optional(),
    about: "Ports that webhooks may be sent to. By default all.",
    example: "80,443",
  },
  TANDEM_RECORD_DAYS: {
    schema: z.coerce.number().int().min(7).max(3650).default(30),
    about: "How many days events, deliveries and attempts are kept.",
  },
  TANDEM_CALL_DAYS: {
    schema: z.coerce.number().int().min(1).max(3650).optional(),
    about: "How many days calls are kept, with their recordings, and conferences. By default until they are deleted.",
    example: "365",
  },
  TANDEM_ROLES: {
    schema: text
      .transform((value) => (value === "all" ? [...ROLES] : value.split(",").map((role) => role.trim())))
      .pipe(z.array(z.enum(ROLES)))
      .default([...ROLES]),
    about:
      "What this process does: api serves callers, worker sends messages and delivers webhooks; several with commas. By default all.",
    example: "all",
  },
  TANDEM_SUPPORT_CONTACT: {
    schema: text.default("the operator of this service"),
    about: "Whom refusals tell people to ask.",
    example: "support@example.com",
  },
  TANDEM_CARRIER_NAME: {
    schema: text.default("Tandem"),
    about: "The carrier that lookups of your own numbers name.",
  },
  TANDEM_ACTIVATION_SECONDS: {
    schema: z.coerce.number().min(0).max(86_400).optional(),
    about:
      "How long it takes to add a number to a campaign: it becomes Active so long after both belong to its MessagingConfig. By default 0, and 3 in the sandbox.",
    example: "0",
  },
  TANDEM_SANDBOX: {
    schema: z.enum(["on", "off", "force"]).default("off"),
    about:
      "Demo account and simulated outside world; `npm start` sets it on. On an address others can reach only with force.",
  },
  TANDEM_SMSC_PORT: {
    schema: portNumber.default(2775),
    about: "Port of the sandbox's SMSC; 0 means any free one.",
  },
  TANDEM_SIP_PORT: {
    schema: portNumber.default(5060),
    about: "Port of SIP over UDP and TCP; TLS is on the next one. 0 means any free one.",
  },
  TANDEM_RTP_PORTS: {
    schema: portRange.default({ min: 20_000, max: 21_999 }),
    about: "Ports of the audio of calls, two for each party; 0 means any 2,000 of the upper ones.",
    example: "20000-21999",
  },
  TANDEM_RTP_PATH: {
    schema: z.enum(["portable", "fast"]).default("portable"),
    about:
      "How audio is relayed: by Node's sockets in a thread, or on Linux by the C library's in a process of its own, which takes a fraction of the processor time.",
  },
  TANDEM_SIP_TRACE: {
    schema: z.enum(["on", "off"]).default("on"),
    about: "Whether the SIP messages of calls are kept, for 7 days.",
  },
  TANDEM_SANDBOX_ACCEPTANCE_SECONDS: {
    schema: z.coerce.number().min(0).max(3600).default(5),
    about: "How long the sandbox's campaign registry takes to accept a campaign.",
  },
  TANDEM_SANDBOX_PORT_SECONDS: {
    schema: z.coerce.number().min(0).max(86_400).default(20),
    about: "How long the sandbox's losing carriers take to let a number go.",
  },
  TANDEM_CONFIG: {
    schema: text.optional(),
    about:
      "JSON file with carriers and routes, lookup providers, registry and trunks; its schema is api/tandem.config.schema.json.",
    example: "./tandem.config.json",
  },
  TANDEM_NUMBERING_FILE: {
    schema: text.optional(),
    about: "The numbering table, when it is not the one that was built beside the program.",
    example: "./dist/numbering.bin",
  },
  TANDEM_DRAIN_SECONDS: {
    schema: z.coerce.number().int().min(0).max(3600).default(30),
    about:
      "How long a stop may take, five seconds at least. Requests and calls go on for all but the last five seconds (half of it where it is less than ten); what is not closed at its end is left.",
  },
  TANDEM_LAME_DUCK_SECONDS: {
    schema: z.coerce.number().int().min(0).max(3600).default(0),
    about:
      "How long a stop that a signal asks for serves on while `/readyz` says 503, before TANDEM_DRAIN_SECONDS begin. A little longer than a load balancer takes to notice; about 10 behind one.",
  },
  TANDEM_TRACES_URL: {
    schema: httpUrl.optional(),
    about: "Where OpenTelemetry traces are sent, as OTLP over HTTP in JSON. By default nowhere.",
    example: "http://localhost:4318/v1/traces",
  },
  TANDEM_TRACES_SHARE: {
    schema: z.coerce.number().min(0).max(1).default(1),
    about: "The share of requests, messages and calls that are traced, from 0 to 1.",
  },
  TANDEM_LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    about: "Least serious line to log. Lines go to standard error as JSON.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]["schema"]> };

export function exampleEnv(): string {
  const entries = Object.entries<Setting>(SETTINGS).map(
    ([name, { schema, about, example = schema.parse(undefined) }]) => `# ${about}\n#${name}=${example}\n`,
  );
  return `# Every setting, with its default or an example. Uncomment what you change.\n\n${entries.join("\n")}`;
}
