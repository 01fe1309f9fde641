// For how many days the account's records are kept; what is older is deleted.

import type { Account, AccountChange } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { Section } from "../../components/page.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

const FIELDS = [
  { member: "messageDays", label: "Messages", hint: "Days; empty: for ever. Not those that still wait." },
  { member: "callDays", label: "Calls", hint: "Days, recordings too; empty: like all accounts'." },
  { member: "eventDays", label: "Events", hint: "Days, deliveries and requests too; empty: like all accounts'." },
] as const;

type Member = (typeof FIELDS)[number]["member"];
type Draft = Readonly<Record<Member, string>>;

const draftOf = ({ messageDays, callDays, eventDays }: Account): Draft => ({
  messageDays: messageDays?.toString() ?? "",
  callDays: callDays?.toString() ?? "",
  eventDays: eventDays?.toString() ?? "",
});

const daysOf = (text: string) => (text.trim() === "" ? null : Number(text));

const changeOf = ({ messageDays, callDays, eventDays }: Draft): AccountChange => ({
  messageDays: daysOf(messageDays),
  callDays: daysOf(callDays),
  eventDays: daysOf(eventDays),
});

export function AccountRetention({ account }: { readonly account: Account }) {
  const [draft, setDraft] = useState(() => draftOf(account));
  const save = useAction({
    run: () => operator.accounts.change(account.sid, changeOf(draft)),
    nouns: ["accounts"],
    done: ({ data }) => `What ${data.name} keeps is changed.`,
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(account));
  const isGood = Object.values(draft).every((text) => /^\s*(|[1-9]\d*)\s*$/.test(text));
  return (
    <Section title="Kept for">
      <Form className="operator-form" onSubmit={() => save.start()}>
        <div className="operator-fields">
          {FIELDS.map(({ member, label, hint }) => (
            <TextField
              key={member}
              label={label}
              hint={hint}
              maxLength={5}
              value={draft[member]}
              placeholder="for ever"
              onChange={(text) => setDraft({ ...draft, [member]: text })}
            />
          ))}
        </div>
        <p>What is older is deleted for good.</p>
        <Button type="submit" busy={save.isPending} disabled={!isChanged || !isGood}>
          Keep it so long
        </Button>
        {save.error !== null && <Problem what="Not changed" error={save.error} />}
      </Form>
    </Section>
  );
}
