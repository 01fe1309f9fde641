// Lookup results that the operator has set: they override every other source.

import { type LookupOverride, PHONE_MESSAGING_STATUSES, PHONE_TYPES } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { SelectField, TextField } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { SectionForm, useIsAdmin, useOpenForm } from "./operator-parts.tsx";

const COLUMNS: readonly Column<LookupOverride>[] = [
  { id: "number", head: "Number", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
  { id: "type", head: "Type", cell: ({ type }) => type },
  { id: "status", head: "Texts", cell: ({ status }) => status },
  { id: "carrier", head: "Carrier", cell: ({ carrierName }) => carrierName },
  { id: "note", head: "Note", cell: ({ note }) => note, grow: true, phone: "second" },
  { id: "since", head: "Since", cell: ({ updatedOn }) => <Time at={updatedOn} form="day" />, phone: "second-right" },
];

const DELETING: Column<LookupOverride> = {
  id: "delete",
  head: <span className="vh">Actions</span>,
  cell: ({ number }) => <Remove number={number} />,
  phone: "first-right",
};

export function OverridesScreen() {
  usePlace([{ label: "Lookup overrides" }]);
  const isAdmin = useIsAdmin();
  const setting = useOpenForm("Set an answer", (close) => <SetOverride onClose={close} />);
  const pages = usePages(["overrides"], (options) => operator.lookupOverrides.list(options));
  return (
    <ListPage
      title="Lookup overrides"
      sub="Answers that hold whatever else is known of a number"
      buttons={setting.button}
      above={setting.form}
    >
      <Table
        {...pages}
        label="Lookup overrides"
        columns={isAdmin ? [...COLUMNS, DELETING] : COLUMNS}
        keyOf={({ number }) => number}
        empty={
          <Empty
            what="No overrides"
            why="Lookups answer what the sources and the table know. Where they are wrong about a number, say it here:"
          >
            <CommandLine words="overrides set +14155550177 --type Wireless --status Active --carrier 'Acme Wireless'" />
          </Empty>
        }
      />
    </ListPage>
  );
}

function Remove({ number }: { readonly number: string }) {
  const remove = useAction({
    run: () => operator.lookupOverrides.remove(number),
    nouns: ["overrides"],
    done: () => `Lookups of ${number} answer what is known again.`,
    failed: "Not removed.",
  });
  return (
    <Button small kind="danger" busy={remove.isPending} onClick={() => remove.start()}>
      Remove<span className="vh"> the answer for {number}</span>
    </Button>
  );
}

function SetOverride({ onClose }: { readonly onClose: () => void }) {
  const [number, setNumber] = useState("");
  const [type, setType] = useState<(typeof PHONE_TYPES)[number]>("Wireless");
  const [status, setStatus] = useState<(typeof PHONE_MESSAGING_STATUSES)[number]>("Active");
  const [carrierName, setCarrier] = useState("");
  const [note, setNote] = useState("");
  const put = useAction({
    run: () =>
      operator.lookupOverrides.put(number.trim(), {
        type,
        status,
        carrierName: carrierName.trim() || null,
        note: note.trim() || null,
      }),
    nouns: ["overrides"],
    done: ({ data }) => `Set for ${data.number}.`,
    onDone: onClose,
  });
  return (
    <SectionForm
      title="Set an answer"
      verb="Set it"
      failed="Not set"
      action={put}
      ready={number.trim() !== ""}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Number" className="mono" value={number} onChange={setNumber} placeholder="+14155550100" />
        <SelectField label="Type" options={PHONE_TYPES} value={type} onChange={setType} />
        <SelectField label="Texts" options={PHONE_MESSAGING_STATUSES} value={status} onChange={setStatus} />
        <TextField label="Carrier" value={carrierName} onChange={setCarrier} />
        <TextField label="Note" value={note} onChange={setNote} hint="Why, for the next operator." />
      </div>
    </SectionForm>
  );
}
