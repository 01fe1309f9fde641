// What a new token may do in addition to signing in: two checkboxes, where tokens are made.

import type { TokenOrder } from "@tandem/sdk";
import { Check } from "./check.tsx";

export interface TokenRightsProps {
  readonly rights: TokenOrder;
  readonly onChange: (rights: TokenOrder) => void;
}

export function TokenRights({ rights, onChange }: TokenRightsProps) {
  return (
    <>
      <Check
        label="It signs webhooks in Twilio's shape"
        hint="A program written for Twilio verifies X-Twilio-Signature with the token by which it signs in. Such a token is stored encrypted; of others only a digest is stored."
        checked={rights.signs ?? false}
        onChange={(signs) => onChange({ ...rights, signs })}
      />
      <Check
        label="Tools of language models may write with it"
        hint="Without this they only read, look numbers up and make dry runs."
        checked={rights.toolWrites ?? false}
        onChange={(toolWrites) => onChange({ ...rights, toolWrites })}
      />
    </>
  );
}
