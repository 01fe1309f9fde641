// Places a call: rings the first party, then the second, and connects both. Below is the same request in code.

import type { CallOrder } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Check } from "../../components/check.tsx";
import { CodeTabs } from "../../components/code.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Field, Input } from "../../components/field.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Problem } from "../../components/verdict.tsx";
import { phonesQuery } from "./call-queries.ts";
import { callSnippets } from "./call-snippets.ts";

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly callerId: string;
  readonly record: boolean;
  readonly requireKeyPress: boolean;
  readonly keyPressPrompt: string;
}

function orderOf({ from, to, callerId, record, requireKeyPress, keyPressPrompt }: Draft): CallOrder {
  return {
    from: from.trim(),
    to: to.trim(),
    ...(callerId && { callerId }),
    ...(record && { record }),
    ...(requireKeyPress && { requireKeyPress }),
    ...(requireKeyPress && keyPressPrompt.trim() && { keyPressPrompt: keyPressPrompt.trim() }),
  };
}

export function PlaceCall({ onClose }: { readonly onClose: () => void }) {
  const [search] = useSearchState();
  const [draft, setDraft] = useState<Draft>({
    from: search.from ?? "",
    to: search.to ?? "",
    callerId: "",
    record: false,
    requireKeyPress: false,
    keyPressPrompt: "",
  });
  const { accountSid } = useSession();
  const navigate = useNavigate();
  const order = orderOf(draft);
  const placing = useMutation({
    mutationFn: async () => (await client.calls.place(order)).data,
    onSuccess: async (call) => {
      void queries.invalidateQueries({ queryKey: ["calls"] });
      await navigate({ to: `/calls/${call.sid}` });
    },
  });
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    placing.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    placing.mutate();
  };
  return (
    <Drawer label="Place a call" title="Place a call" sub="Rings the first party, then the second." onClose={onClose}>
      {placing.error && <Problem what="Not placed" error={placing.error} />}
      <form className="place-form" onSubmit={submit}>
        <Parties draft={draft} onChange={change} />
        <CallerId value={draft.callerId} onChange={(callerId) => change({ callerId })} />
        <Check label="Record it" checked={draft.record} onChange={(record) => change({ record })} />
        <Check
          label="Ask the first party for a key press"
          hint="The second is called only when any key has been pressed within 20 seconds."
          checked={draft.requireKeyPress}
          onChange={(requireKeyPress) => change({ requireKeyPress })}
        />
        {draft.requireKeyPress && (
          <Field label="What it hears" hint="By default: You have a call. Press any key to be connected.">
            {(given) => (
              <Input
                {...given}
                maxLength={500}
                value={draft.keyPressPrompt}
                onChange={(event) => change({ keyPressPrompt: event.target.value })}
              />
            )}
          </Field>
        )}
        <Button
          kind="primary"
          type="submit"
          icon="call"
          busy={placing.isPending}
          disabled={order.from === "" || order.to === ""}
        >
          Call
        </Button>
      </form>
      <section>
        <h3>The same from code</h3>
        <CodeTabs label="Language" tabs={callSnippets(accountSid ?? "", order)} />
      </section>
    </Drawer>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Parties({ draft, onChange }: DraftProps) {
  return (
    <>
      <Field label="First party" hint="Yours, rung first: a number, or an address such as sip:desk-2@pbx.example.com.">
        {(given) => (
          <Input
            {...given}
            autoFocus
            className="mono"
            placeholder="+12125550114"
            value={draft.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
        )}
      </Field>
      <Field label="Second party" hint="Rung when the first has answered. In the sandbox +13035550114 speaks.">
        {(given) => (
          <Input
            {...given}
            className="mono"
            placeholder="+13035550114"
            value={draft.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function CallerId({ value, onChange }: { readonly value: string; readonly onChange: (callerId: string) => void }) {
  const phones = useQuery(phonesQuery);
  const numbers = (phones.data ?? []).filter(({ status }) => status !== "Removed").map(({ number }) => number);
  return (
    <Field label="Shown as" hint="What both parties see: a number of yours.">
      {(given) => (
        <select {...given} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">The account's default</option>
          {numbers.map((number) => (
            <option key={number} value={number}>
              {number}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
