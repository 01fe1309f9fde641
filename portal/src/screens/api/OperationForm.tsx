// The form of an operation: its parameters and the members of its body, one field each.

import { Field } from "../../components/field.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import type { Input as ApiInput, Operation } from "./openapi.ts";
import { keyOf, type Values } from "./request.ts";

export interface OperationFormProps {
  readonly operation: Operation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly onSubmit: () => void;
}

export function OperationForm({ operation, values, onChange, onSubmit }: OperationFormProps) {
  return (
    <Form className="api-form" onSubmit={onSubmit}>
      {operation.inputs.map((input) => (
        <InputField
          key={keyOf(input)}
          input={input}
          value={values[keyOf(input)] ?? ""}
          onChange={(value) => onChange({ ...values, [keyOf(input)]: value })}
        />
      ))}
      {/* Enter sends; the visible button is beside the code. */}
      <button type="submit" hidden>
        Send it
      </button>
    </Form>
  );
}

interface InputFieldProps {
  readonly input: ApiInput;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const LONG = 60;

function InputField({ input, value, onChange }: InputFieldProps) {
  const { name, place, isRequired, description, choices, kind } = input;
  const label = `${name}${isRequired ? ", required" : ""}`;
  const hint = [place === "body" ? "" : `In the ${place}.`, description.replaceAll("`", "")].filter(Boolean).join(" ");
  const labelled = { label, hint, value, onChange };
  if (choices.length > 0) return <SelectField {...labelled} options={[["", "not sent"], ...choices]} />;
  if (kind !== "json" || value.length <= LONG) return <TextField {...labelled} className="mono" spellCheck={false} />;
  return (
    <div className="api-long">
      <Field label={label} hint={hint}>
        {(given) => (
          <textarea
            {...given}
            className="input mono"
            spellCheck={false}
            rows={4}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
