// Opt-outs: who wants no texts, from which number or campaign. One is entered by hand, or taken away when the person
// asked for it.

import type { OptOut } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { phonesQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { OPT_OUT_COLUMNS, optOutKey } from "../../components/opt-out-columns.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { type Column, Table } from "../../components/table.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import "./opt-outs.css";
import { NoneSuch } from "../../components/none-such.tsx";

const NOUNS = ["optOuts"];
const DIGITS_MIN = 3;

const COLUMNS: readonly Column<OptOut>[] = [
  ...OPT_OUT_COLUMNS,
  {
    id: "end",
    head: <span className="vh">Take away</span>,
    cell: (optOut) => <TakeAway {...optOut} />,
    align: "right",
  },
];

function TakeAway({ number, scopeType, scope }: OptOut) {
  const remove = useAction({
    ask: () => ({
      question: `Text ${number} again?`,
      cost: "Only if the person asked for it: who opted out and gets texts may complain to the carrier.",
      verb: "Take the opt-out away",
    }),
    run: () => client.optOuts.remove({ number, scopeType, scope }),
    nouns: NOUNS,
    done: () => `${number} may be sent texts again.`,
    failed: "Not taken away.",
  });
  return (
    <Button small kind="danger" busy={remove.isPending} onClick={() => remove.start()}>
      Take away
    </Button>
  );
}

export function OptOutsScreen() {
  usePlace([{ label: "Opt-outs" }]);
  const [{ number = "" }, change] = useSearchState();
  const [isEntering, setEntering] = useState(false);
  const wanted = number.replace(/\D/g, "").length >= DIGITS_MIN ? number.trim() : undefined;
  const pages = usePages(
    ["optOuts", "list", wanted],
    (options) => client.optOuts.list({ ...options, ...(wanted && { number: wanted }) }),
    { keepsRows: true },
  );
  return (
    <ListPage
      title="Opt-outs"
      sub="Who wrote STOP, or was entered here. Texts to them are refused with 1002."
      buttons={
        <>
          <input
            className="input mono"
            aria-label="Number"
            placeholder="+1…"
            inputMode="tel"
            value={number}
            onChange={(event) => change({ number: event.target.value || undefined })}
          />
          <Button kind="primary" onClick={() => setEntering(true)}>
            Opt somebody out
          </Button>
        </>
      }
      above={isEntering && <Enter onClose={() => setEntering(false)} />}
    >
      <Table
        {...pages}
        label="Opt-outs"
        columns={COLUMNS}
        keyOf={optOutKey}
        empty={
          <NoneSuch what={`${wanted} has not opted out`} filters={["number"]}>
            <Empty
              what="Nobody has opted out"
              why="People who write STOP, or are entered above, show here. A list of another provider is imported by:"
            >
              <CommandLine words="optouts import --csv opt-outs.csv" />
            </Empty>
          </NoneSuch>
        }
      />
    </ListPage>
  );
}

const campaignsQuery = itemsQuery(["campaigns", "of-opt-outs"], (options) =>
  client.campaigns.list({ pageSize: 200, ...options }),
);

function Enter({ onClose }: { readonly onClose: () => void }) {
  const [number, setNumber] = useState("");
  const [scope, setScope] = useState("");
  const { data: phones = [] } = useQuery(phonesQuery);
  const { data: campaigns = [] } = useQuery(campaignsQuery);
  const own = phones.map(
    (phone) => [phone.number, phone.name ? `${phone.number}, ${phone.name}` : phone.number] as const,
  );
  const named = campaigns.map(
    ({ tcrCampaignId, name }) => [tcrCampaignId, `campaign ${tcrCampaignId}, ${name}`] as const,
  );
  const scopeType = named.some(([id]) => id === scope) ? "TcrCampaign" : "SenderPhoneNumber";
  const enter = useAction({
    run: () => client.optOuts.create({ number: number.trim(), scopeType, scope }),
    nouns: NOUNS,
    done: ({ data }) => `${data.number} gets no more texts from there.`,
    onDone: onClose,
  });
  return (
    <Section title="Opt somebody out" aside={<IconButton icon="x" label="Close the form" onClick={onClose} />}>
      <Form className="opt-out-form" onSubmit={enter.start}>
        <TextField label="Who" className="mono" inputMode="tel" placeholder="+1…" value={number} onChange={setNumber} />
        <SelectField
          label="Wants no texts from"
          value={scope}
          onChange={setScope}
          options={[["", "Choose"], ...own, ...named]}
        />
        <Button type="submit" kind="primary" busy={enter.isPending} disabled={number.trim() === "" || scope === ""}>
          Opt them out
        </Button>
        {enter.error !== null && <Problem what="Not entered" error={enter.error} />}
      </Form>
    </Section>
  );
}
