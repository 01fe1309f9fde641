// Why a port waits or fails: one closed list for all sources. The codes of a clearing house are mapped to it; an
// unknown code becomes OTHER, with its text as detail.

/** The parts of an order that its owner may correct. */
export type AnswerField =
  | "accountNumber"
  | "billingTelephoneNumber"
  | "files"
  | "losingCarrier"
  | "phones"
  | "requestedOn"
  | "serviceAddress"
  | "subscriber";

interface ReasonEntry {
  readonly says: string;
  /** The parts whose correction may help; empty when none does. */
  readonly answerWith: readonly AnswerField[];
}

const entry = (says: string, ...answerWith: readonly AnswerField[]): ReasonEntry => ({ says, answerWith });

export const PORT_REASONS = {
  ACCOUNT_NUMBER_MISMATCH: entry("The losing carrier has another account number.", "accountNumber"),
  AUTH_PERSON_MISMATCH: entry("The losing carrier does not know the authorized person.", "subscriber", "files"),
  BTN_ATN_MISMATCH: entry(
    "The billing telephone number is not the one of these numbers.",
    "billingTelephoneNumber",
    "files",
  ),
  CANCELLED: entry("The port was cancelled."),
  ENTITY_NAME_MISMATCH: entry("The losing carrier has the account under another name.", "subscriber", "files"),
  FOC_EXPIRED: entry("The confirmed date passed without a port.", "requestedOn"),
  FOC_REJECTED: entry("The losing carrier does not agree to the date.", "requestedOn"),
  LOCATION_MISMATCH: entry("The service address is not the one on record.", "serviceAddress", "files"),
  LSR_PENDING: entry("Another order for these numbers is open at the losing carrier.", "requestedOn"),
  MAIN_BTN_PORTING: entry(
    "The billing telephone number leaves while others stay: name a new one.",
    "billingTelephoneNumber",
  ),
  OSP_IRRESPONSIVE: entry("The losing carrier does not answer.", "losingCarrier"),
  OTHER: entry("The losing carrier gave a reason of its own.", "files"),
  PASSCODE_PIN_INVALID: entry("The PIN is missing or wrong.", "phones"),
  PHONE_NUMBER_HAS_SPECIAL_FEATURE: entry("A feature on the number has to be removed by its carrier first."),
  PHONE_NUMBER_MISMATCH: entry("The number is not on this account.", "accountNumber", "files"),
  PHONE_NUMBER_NOT_PORTABLE: entry("The number cannot be ported."),
  PORT_TYPE_INCORRECT: entry("The numbers are of another kind than the order says.", "losingCarrier"),
  PORTING_ORDER_SPLIT_REQUIRED: entry("The numbers are with several carriers or accounts: order them apart."),
  POSTAL_CODE_MISMATCH: entry("The postal code is not the one on record.", "serviceAddress"),
  RATE_CENTER_NOT_PORTABLE: entry("Numbers of this rate center cannot be ported."),
  SV_CONFLICT: entry("The losing carrier disputes the port.", "files"),
  SV_UNKNOWN_FAILURE: entry("The number portability administration failed without a reason."),
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type PortReasonCode = keyof typeof PORT_REASONS;

export const PORT_REASON_CODES = Object.keys(PORT_REASONS) as readonly PortReasonCode[];

export interface PortReason {
  readonly code: PortReasonCode;
  /** In the words of the source. */
  readonly detail: string | null;
}

/** Accepts any case and separators; an unknown code becomes OTHER and goes into the detail. */
export function portReasonOf(code: string, detail: string | null): PortReason {
  const name = code.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  const known = PORT_REASON_CODES.find((candidate) => candidate === name);
  if (known) return { code: known, detail };
  return { code: "OTHER", detail: detail === null ? code : `${code}: ${detail}` };
}

/** Begins with the code, so that programs can read it too. */
export function reasonText({ code, detail }: PortReason): string {
  const { says } = PORT_REASONS[code];
  return detail === null ? `${code}: ${says}` : `${code}: ${says} (${detail})`;
}
