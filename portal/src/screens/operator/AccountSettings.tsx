// What an operator decides of an account beside its rights: name, country, where it may send, caller id, keywords.

import type { Account, AccountChange } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Check } from "../../components/check.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { Section } from "../../components/page.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

interface Draft {
  readonly name: string;
  readonly country: string;
  readonly countries: string;
  readonly callerId: string;
  readonly handlesKeywords: boolean;
}

const draftOf = ({ name, allowedCountries, defaultCallerId, handlesKeywords }: Account): Draft => ({
  name,
  // What is shown may follow from its numbers: only what is typed is set.
  country: "",
  countries: allowedCountries?.join(", ") ?? "",
  callerId: defaultCallerId ?? "",
  handlesKeywords,
});

function changeOf({ name, country, countries, callerId, handlesKeywords }: Draft): AccountChange {
  const letters = countries.toUpperCase().match(/[A-Z]{2}/g) ?? [];
  return {
    name: name.trim(),
    ...(country.trim() !== "" && { country: country.trim().toUpperCase() }),
    allowedCountries: letters.length === 0 ? null : letters,
    defaultCallerId: callerId.trim() || null,
    handlesKeywords,
  };
}

export function AccountSettings({ account }: { readonly account: Account }) {
  const [draft, setDraft] = useState(() => draftOf(account));
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const save = useAction({
    run: () => operator.accounts.change(account.sid, changeOf(draft)),
    nouns: ["accounts"],
    done: ({ data }) => `${data.name} is changed.`,
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(account));
  return (
    <Section title="Settings">
      <Form className="operator-form" onSubmit={() => save.start()}>
        <div className="operator-fields">
          <TextField label="Name" maxLength={64} value={draft.name} onChange={(name) => change({ name })} />
          <TextField
            label="Country"
            hint={`Two letters: in it numbers without a plus are read. Now ${account.country ?? "none"}.`}
            maxLength={2}
            value={draft.country}
            placeholder={account.country ?? ""}
            onChange={(country) => change({ country })}
          />
          <TextField
            label="Texts and calls to"
            hint="Countries in two letters each; empty: those of its own numbers."
            value={draft.countries}
            placeholder="US, CA"
            onChange={(countries) => change({ countries })}
          />
          <TextField
            label="Caller id"
            hint="One of its numbers with VOICE; empty: the oldest."
            className="mono"
            value={draft.callerId}
            placeholder="+1…"
            onChange={(callerId) => change({ callerId })}
          />
        </div>
        <Check
          label="STOP, START and HELP are answered for it"
          checked={draft.handlesKeywords}
          onChange={(handlesKeywords) => change({ handlesKeywords })}
        />
        <Button type="submit" busy={save.isPending} disabled={!isChanged || draft.name.trim() === ""}>
          Change them
        </Button>
        {save.error !== null && <Problem what="Not changed" error={save.error} />}
      </Form>
    </Section>
  );
}
