// A call from another caller to your number: a telephone that speaks by itself and hangs up.

import { useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Check } from "../../components/check.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

const CALLER = "+14154740201";
const SECONDS = { usual: 10, most: 600 } as const;

export function OtherCaller({ ours }: { readonly ours: string }) {
  const [seconds, setSeconds] = useState(String(SECONDS.usual));
  const [answer, setAnswer] = useState(true);
  const durationSeconds = Math.min(SECONDS.most, Math.max(1, Math.round(Number(seconds)) || SECONDS.usual));
  const calling = useAction({
    run: () => client.sandbox.receiveCall({ from: CALLER, to: ours, durationSeconds, answer }),
    nouns: ["calls"],
    done: () => `${CALLER} called ${ours}`,
  });
  return (
    <Form className="other-caller" onSubmit={calling.start}>
      <p>
        <span className="strong">Another caller</span> <PhoneNumber value={CALLER} />
      </p>
      {calling.error && <Problem what="Not called" error={calling.error} />}
      <TextField
        label="The call lasts, in seconds"
        hint="From 1 to 600; then the caller hangs up."
        type="number"
        min={1}
        max={SECONDS.most}
        value={seconds}
        onChange={setSeconds}
      />
      <Check
        label="It is answered"
        hint="Otherwise the telephone to which your number forwards rings, and is not answered."
        checked={answer}
        onChange={setAnswer}
      />
      <Button type="submit" icon="call" busy={calling.isPending}>
        Have them call
      </Button>
    </Form>
  );
}
