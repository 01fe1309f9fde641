// A call from another caller to your number: a telephone that speaks by itself and hangs up.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Check } from "../../components/check.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";

const CALLER = "+14154740201";
const SECONDS = { usual: 10, most: 600 } as const;

export function OtherCaller({ ours }: { readonly ours: string }) {
  const [seconds, setSeconds] = useState(String(SECONDS.usual));
  const [answer, setAnswer] = useState(true);
  const durationSeconds = Math.min(SECONDS.most, Math.max(1, Math.round(Number(seconds)) || SECONDS.usual));
  const calling = useMutation({
    mutationFn: () => client.sandbox.receiveCall({ from: CALLER, to: ours, durationSeconds, answer }),
    onSuccess: () => {
      toast.done(`${CALLER} called ${ours}`);
      void queries.invalidateQueries({ queryKey: ["calls"] });
    },
  });
  const call = (event: FormEvent) => {
    event.preventDefault();
    calling.mutate();
  };
  return (
    <form className="other-caller" onSubmit={call}>
      <p>
        <span className="strong">Somebody else calls</span> <PhoneNumber value={CALLER} />
      </p>
      {calling.error && <Problem what="Not called" error={calling.error} />}
      <Field label="The call lasts, in seconds" hint="From 1 to 600; then the caller hangs up.">
        {(given) => (
          <Input
            {...given}
            type="number"
            min={1}
            max={SECONDS.most}
            value={seconds}
            onChange={(event) => setSeconds(event.target.value)}
          />
        )}
      </Field>
      <Check
        label="It is answered"
        hint="Otherwise the telephone to which your number forwards rings, and nobody answers."
        checked={answer}
        onChange={setAnswer}
      />
      <Button type="submit" icon="call" busy={calling.isPending}>
        Have them call
      </Button>
    </form>
  );
}
