// Recomputes the signature of an attempt with a pasted secret. The secret stays in this page: nothing is sent, nothing
// is stored.

import { type DeliveryWithBody, verifyWebhook, WebhookVerificationError } from "@tandem/sdk";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Shape } from "../../components/shape.tsx";
import type { Attempt } from "./tries.ts";

interface Outcome {
  readonly isRight: boolean;
  readonly what: string;
  readonly why: string;
}

export interface SignatureProps {
  readonly delivery: DeliveryWithBody;
  readonly attempt: Attempt;
}

export function Signature({ delivery, attempt }: SignatureProps) {
  const [secret, setSecret] = useState("");
  const [outcome, setOutcome] = useState<Outcome>();
  const headers = Object.fromEntries(
    (attempt.requestHeaders ?? []).map(({ name, value }) => [name.toLowerCase(), value]),
  );
  if (delivery.body === null || headers["webhook-signature"] === undefined) return null;
  const submit = async () => setOutcome(await outcomeOf(delivery.body ?? "", headers, secret.trim()));
  return (
    <Form className="signature" onSubmit={() => void submit()}>
      <p>
        {outcome ? (
          <Shape name={outcome.isRight ? "delivered" : "failed"} tone={outcome.isRight ? "ok" : "bad"} />
        ) : (
          <Shape name="queued" tone="neutral" />
        )}
        <span aria-live="polite">
          <b className="strong">{outcome?.what ?? "Is the signature right?"}</b>{" "}
          {outcome?.why ?? "Paste the secret of your receiver. It stays in this page."}
        </span>
      </p>
      <div className="signature-row">
        <Input
          aria-label="Secret"
          className="mono"
          type="password"
          autoComplete="off"
          placeholder="whsec_…"
          value={secret}
          onChange={(event) => {
            setSecret(event.target.value);
            setOutcome(undefined);
          }}
        />
        <Button small type="submit" disabled={secret.trim() === ""}>
          Recompute
        </Button>
      </div>
    </Form>
  );
}

async function outcomeOf(payload: string, headers: Record<string, string>, secret: string): Promise<Outcome> {
  // Verified as of the time of the attempt, when a receiver would have seen it.
  const now = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const right = { isRight: true, what: "Signature right.", why: "Your receiver has the secret that we sign with." };
  try {
    await verifyWebhook({ payload, headers, secret, now });
    return right;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // The signature is verified before the body is parsed: forms in Twilio's shape are not JSON.
    if (error.reason === "bad-payload") return right;
    const why =
      error.reason === "no-match" ? "It was not made with this secret: your receiver has another one." : error.message;
    return { isRight: false, what: "Signature wrong.", why };
  }
}
