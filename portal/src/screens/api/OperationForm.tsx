// The form of an operation: its parameters and the members of its body, one field each.

import type { FormEvent } from "react";
import { Field, Input } from "../../components/field.tsx";
import type { Input as ApiInput, Operation } from "./openapi.ts";
import { keyOf, type Values } from "./request.ts";

export interface OperationFormProps {
  readonly operation: Operation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly onSubmit: () => void;
}

export function OperationForm({ operation, values, onChange, onSubmit }: OperationFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="api-form" onSubmit={submit}>
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
    </form>
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
  const isLong = kind === "json" && value.length > LONG;
  return (
    <div className={isLong ? "api-long" : undefined}>
      <Field label={label} hint={hint}>
        {(given) => {
          const shared = { ...given, value, className: "input mono", spellCheck: false } as const;
          if (choices.length > 0) {
            return (
              <select {...given} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
                <option value="">not sent</option>
                {choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            );
          }
          if (isLong) return <textarea {...shared} rows={4} onChange={(event) => onChange(event.target.value)} />;
          return <Input {...shared} className="mono" onChange={(event) => onChange(event.target.value)} />;
        }}
      </Field>
    </div>
  );
}
