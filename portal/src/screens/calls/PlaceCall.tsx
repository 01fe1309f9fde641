// Places a call: rings the first party, then the second, and connects both. Below is the same request in code.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { phonesQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Check } from "../../components/check.tsx";
import { callerOf } from "../../components/client-lines.ts";
import { CodeTabs } from "../../components/code.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { callSnippets, type TwoParties } from "./call-snippets.ts";

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly callerId: string;
  readonly record: boolean;
  readonly requireKeyPress: boolean;
  readonly keyPressPrompt: string;
}

function orderOf({ from, to, callerId, record, requireKeyPress, keyPressPrompt }: Draft): TwoParties {
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
  const session = useSession();
  const navigate = useNavigate();
  const order = orderOf(draft);
  const placing = useAction({
    run: () => client.calls.place(order),
    nouns: ["calls"],
    onDone: ({ data }) => void navigate({ to: `/calls/${data.sid}` }),
  });
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    placing.reset();
  };
  return (
    <Drawer label="Place a call" title="Place a call" sub="Rings the first party, then the second." onClose={onClose}>
      {placing.error && <Problem what="Not placed" error={placing.error} />}
      <Form className="drawer-form" onSubmit={placing.start}>
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
          <TextField
            label="What it hears"
            hint="By default: You have a call. Press any key to be connected."
            maxLength={500}
            value={draft.keyPressPrompt}
            onChange={(keyPressPrompt) => change({ keyPressPrompt })}
          />
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
      </Form>
      <section>
        <h3>The same from code</h3>
        <CodeTabs label="Language" tabs={callSnippets(callerOf(session), order)} />
      </section>
    </Drawer>
  );
}

interface PartiesProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Parties({ draft, onChange }: PartiesProps) {
  return (
    <>
      <TextField
        label="First party"
        hint="Yours, rung first: a number, or an address such as sip:desk-2@pbx.example.com."
        autoFocus
        className="mono"
        placeholder="+12125550114"
        value={draft.from}
        onChange={(from) => onChange({ from })}
      />
      <TextField
        label="Second party"
        hint="Rung when the first has answered. In the sandbox +13035550114 speaks."
        className="mono"
        placeholder="+13035550114"
        value={draft.to}
        onChange={(to) => onChange({ to })}
      />
    </>
  );
}

function CallerId({ value, onChange }: { readonly value: string; readonly onChange: (callerId: string) => void }) {
  const phones = useQuery(phonesQuery);
  const numbers = (phones.data ?? []).filter(({ status }) => status !== "Removed").map(({ number }) => number);
  return (
    <SelectField
      label="Shown as"
      hint="What both parties see: a number of yours."
      value={value}
      onChange={onChange}
      options={[["", "The account's default"], ...numbers]}
    />
  );
}
