// Numbers that accounts can take: adding some, assigning one to an account, removing one.

import { type InventoryNumber, NUMBER_FEATURES, type NumberFeature } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Field } from "../../components/field.tsx";
import { Empty, Facts, PageHead } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { AccountChoice, Checks, DeedForm, TextField, useDeed, useIsAdmin, usePages } from "./operator-parts.tsx";

const COLUMNS: readonly Column<InventoryNumber>[] = [
  { id: "number", head: "Number", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
  { id: "features", head: "Can", cell: ({ features }) => features.join(", "), phone: "first-right" },
  { id: "country", head: "Short code of", cell: ({ country }) => country, grow: true, phone: "second" },
  { id: "since", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
];

export function InventoryScreen() {
  usePlace([{ label: "Inventory" }]);
  const isAdmin = useIsAdmin();
  const [{ sel }, change] = useSearchState();
  const [isAdding, setAdding] = useState(false);
  const { rows, source, onEnd } = usePages(["inventory"], (options) => operator.numbers.list(options));
  const chosen = rows.find(({ number }) => number === sel);
  return (
    <div className={chosen ? "operator-split operator-split-open" : "operator-split"}>
      <div className="operator-page">
        <PageHead
          title="Inventory"
          sub="Numbers that accounts can take"
          buttons={
            isAdmin && (
              <Button kind="primary" onClick={() => setAdding(true)}>
                Add numbers
              </Button>
            )
          }
        />
        {isAdding && <AddNumbers onClose={() => setAdding(false)} />}
        <div className="operator-list">
          <Table
            label="Inventory"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ number }) => number}
            selected={sel}
            onSelect={({ number }) => change({ sel: number })}
            source={source}
            empty={<Empty what="No numbers are left" why="Add those that carriers gave you." />}
            onEnd={onEnd}
          />
        </div>
      </div>
      {chosen && <NumberDrawer key={chosen.number} stored={chosen} onClose={() => change({ sel: undefined })} />}
    </div>
  );
}

function AddNumbers({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  const [features, setFeatures] = useState<readonly NumberFeature[]>([]);
  const numbers = text.split(/[\s,;]+/).filter(Boolean);
  const add = useDeed({
    run: () =>
      operator.numbers.add({
        numbers,
        ...(country.trim() && { country: country.trim() }),
        ...(features.length > 0 && { features }),
      }),
    nouns: ["inventory"],
    done: ({ added, alreadyHere }) => `${added.length} added, ${alreadyHere.length} here already.`,
    onDone: onClose,
  });
  return (
    <DeedForm
      title="Add numbers"
      verb={numbers.length === 1 ? "Add 1 number" : `Add ${numbers.length} numbers`}
      failed="None added"
      deed={add}
      ready={numbers.length > 0}
      onSubmit={() => add.mutate()}
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
    </DeedForm>
  );
}

interface NumberDrawerProps {
  readonly stored: InventoryNumber;
  readonly onClose: () => void;
}

function NumberDrawer({ stored: { number, features, createdOn }, onClose }: NumberDrawerProps) {
  const isAdmin = useIsAdmin();
  const [account, setAccount] = useState("");
  const give = useDeed({
    run: () => operator.numbers.assign(number, { accountSid: account }),
    nouns: ["inventory", "phones"],
    done: () => `${number} is given.`,
    onDone: onClose,
    failed: "Not given.",
  });
  const remove = useDeed({
    run: () => operator.numbers.remove(number),
    nouns: ["inventory"],
    done: () => `${number} is taken out.`,
    onDone: onClose,
    failed: "Not taken out.",
  });
  const ask = async () => {
    const cost = "Accounts can no longer take it. You can add it again.";
    if (await confirm({ question: `Take ${number} out?`, cost, verb: "Take it out" })) remove.mutate();
  };
  return (
    <Drawer label={`Number ${number}`} title={<PhoneNumber value={number} />} sub="Nobody's yet" onClose={onClose}>
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
              <Button busy={give.isPending} disabled={account === ""} onClick={() => give.mutate()}>
                Give it
              </Button>
              <Button kind="danger" busy={remove.isPending} onClick={() => void ask()}>
                Take it out
              </Button>
            </div>
          </>
        )}
      </div>
    </Drawer>
  );
}
