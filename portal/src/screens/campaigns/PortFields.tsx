// The fields of a port order: numbers with their PINs, the account at the losing carrier, and the letter of
// authorization, which can be downloaded filled in and only needs a signature.

import { useMutation } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { SelectField, TextField } from "../../components/form.tsx";
import { saveFile } from "../../components/save-file.ts";
import { Problem } from "../../components/verdict.tsx";
import { FileField } from "./FileField.tsx";
import { type PortDraft, portOf } from "./port-draft.ts";

interface PortFieldsProps {
  readonly draft: PortDraft;
  readonly onChange: (change: Partial<PortDraft>) => void;
}

type TextName = Exclude<keyof PortDraft, "files" | "numbers" | "subscriberType">;

interface TextSpec {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  readonly type?: string;
}

const ACCOUNT: readonly TextSpec[] = [
  { name: "losingCarrier", label: "Losing carrier", hint: "Who has them now; may be left out." },
  { name: "accountNumber", label: "Account number", hint: "At the losing carrier." },
  { name: "name", label: "Name on the account" },
  { name: "authorizedPerson", label: "Authorized person", hint: "Who signs the letter." },
];

const ADDRESS: readonly TextSpec[] = [
  { name: "street", label: "Street", hint: "Where the line is: no post box." },
  { name: "city", label: "City" },
  { name: "state", label: "State", hint: "Two letters." },
  { name: "postalCode", label: "Postal code" },
  { name: "requestedOn", label: "Date asked for", type: "date", hint: "Empty: as soon as can be." },
];

export function PortFields({ draft, onChange }: PortFieldsProps) {
  return (
    <>
      <div className="move-fields">
        <Field
          label="Numbers, one a line"
          hint="After each its port-out PIN, where the carrier wants one. PINs are kept encrypted and never shown again."
        >
          {(given) => (
            <textarea
              {...given}
              className="input mono"
              rows={5}
              placeholder={"+13035550123 4471\n+13035550124"}
              value={draft.numbers}
              onChange={(event) => onChange({ numbers: event.target.value })}
            />
          )}
        </Field>
        <Letter draft={draft} onChange={onChange} />
      </div>
      <div className="move-fields">
        {ACCOUNT.map((spec) => (
          <Text key={spec.name} spec={spec} draft={draft} onChange={onChange} />
        ))}
        <SelectField
          label="Kind of account"
          options={["Business", "Individual"]}
          value={draft.subscriberType}
          onChange={(subscriberType) => onChange({ subscriberType })}
        />
      </div>
      <div className="move-fields">
        {ADDRESS.map((spec) => (
          <Text key={spec.name} spec={spec} draft={draft} onChange={onChange} />
        ))}
      </div>
    </>
  );
}

function Text({ spec: { name, ...field }, draft, onChange }: PortFieldsProps & { readonly spec: TextSpec }) {
  return <TextField {...field} value={draft[name]} onChange={(value) => onChange({ [name]: value })} />;
}

function Letter({ draft, onChange }: PortFieldsProps) {
  const letter = useMutation({
    mutationFn: () => client.portIn.letter(portOf(draft)),
    onSuccess: ({ data }) => saveFile("letter-of-authorization.pdf", [new Uint8Array(data)], "application/pdf"),
  });
  return (
    <div className="move-letter">
      <FileField
        label="Letter of authorization, signed"
        files={draft.files}
        onChange={(files) => onChange({ files })}
      />
      <Button small icon="download" busy={letter.isPending} onClick={() => letter.mutate()}>
        Fill one in to sign
      </Button>
      <p className="field-note">From what is written here: a PDF.</p>
      {letter.error && <Problem what="No letter" error={letter.error} />}
    </div>
  );
}
