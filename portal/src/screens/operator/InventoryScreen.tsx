// Numbers that accounts can take: adding some, assigning one to an account, removing one.

import { type InventoryNumber, NUMBER_FEATURES, type NumberFeature } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Field } from "../../components/field.tsx";
import { TextField } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, Facts } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { AccountChoice, Checks, SectionForm, useIsAdmin, useOpenForm, useSelection } from "./operator-parts.tsx";

const COLUMNS: readonly Column<InventoryNumber>[] = [
  { id: "number", head: "Number", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
  { id: "features", head: "Can", cell: ({ features }) => features.join(", "), phone: "first-right" },
  { id: "country", head: "Short code of", cell: ({ country }) => country, grow: true, phone: "second" },
  { id: "since", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
];

export function InventoryScreen() {
  usePlace([{ label: "Inventory" }]);
  const adding = useOpenForm("Add numbers", (close) => <AddNumbers onClose={close} />);
  const pages = usePages(["inventory"], (options) => operator.numbers.list(options));
  const { chosen, close, table } = useSelection(pages.rows, ({ number }) => number);
  return (
    <ListPage
      title="Inventory"
      sub="Numbers that accounts can take"
      buttons={adding.button}
      drawer={chosen && <NumberDrawer key={chosen.number} stored={chosen} onClose={close} />}
      above={adding.form}
    >
      <Table
        {...pages}
        {...table}
        label="Inventory"
        columns={COLUMNS}
        empty={
          <Empty what="No numbers are left" why="Accounts take theirs from here. Add those that carriers gave you:">
            <CommandLine words="inventory add +14155550123 +14155550124 --features SMS,MMS" />
          </Empty>
        }
      />
    </ListPage>
  );
}

function AddNumbers({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  const [features, setFeatures] = useState<readonly NumberFeature[]>([]);
  const numbers = text.split(/[\s,;]+/).filter(Boolean);
  const add = useAction({
    run: () =>
      operator.numbers.add({
        numbers,
        ...(country.trim() && { country: country.trim() }),
        ...(features.length > 0 && { features }),
      }),
    nouns: ["inventory"],
    done: ({ data }) => `${data.added.length} added, ${data.alreadyHere.length} here already.`,
    onDone: onClose,
  });
  return (
    <SectionForm
      title="Add numbers"
      verb={numbers.length === 1 ? "Add 1 number" : `Add ${numbers.length} numbers`}
      failed="None added"
      action={add}
      ready={numbers.length > 0}
      onClose={onClose}
    >
      <div className="operator-fields">
        <Field label="Numbers" hint="In E.164, or short codes; one a line or with commas. All or none.">
          {(given) => (
            <textarea
              {...given}
              className="input mono"
              rows={3}
              placeholder="+14155550160"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <TextField label="Country" value={country} onChange={setCountry} placeholder="US" hint="Of short codes." />
      </div>
      <Checks legend="They can (none: all)" values={NUMBER_FEATURES} chosen={features} onChange={setFeatures} />
    </SectionForm>
  );
}

interface NumberDrawerProps {
  readonly stored: InventoryNumber;
  readonly onClose: () => void;
}

function NumberDrawer({ stored: { number, features, createdOn }, onClose }: NumberDrawerProps) {
  const isAdmin = useIsAdmin();
  const [account, setAccount] = useState("");
  const give = useAction({
    run: () => operator.numbers.assign(number, { accountSid: account }),
    nouns: ["inventory", "phones"],
    done: () => `${number} is given.`,
    onDone: onClose,
    failed: "Not given.",
  });
  const remove = useAction({
    ask: () => ({
      question: `Take ${number} out?`,
      cost: "Accounts can no longer take it. You can add it again.",
      verb: "Take it out",
    }),
    run: () => operator.numbers.remove(number),
    nouns: ["inventory"],
    done: () => `${number} is taken out.`,
    onDone: onClose,
    failed: "Not taken out.",
  });
  return (
    <Drawer label={`Number ${number}`} title={<PhoneNumber value={number} />} sub="Not assigned yet" onClose={onClose}>
      <div className="operator-block">
        <Facts
          facts={[
            ["Can", features.join(", ")],
            ["Since", <Time key="since" at={createdOn} form="day" />],
          ]}
        />
        {isAdmin && (
          <>
            <AccountChoice value={account} onChange={setAccount} none="Choose the account" />
            <div className="row">
              <Button busy={give.isPending} disabled={account === ""} onClick={() => give.start()}>
                Give it
              </Button>
              <Button kind="danger" busy={remove.isPending} onClick={() => remove.start()}>
                Take it out
              </Button>
            </div>
          </>
        )}
      </div>
    </Drawer>
  );
}
