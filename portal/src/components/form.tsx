// A form that stays on its page, and its usual fields: one line of text, or one of several values.

import type { ComponentProps } from "react";
import { Field, type FieldProps, Input } from "./field.tsx";

export interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: () => void;
}

export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

type Labelled = Omit<FieldProps, "children">;

export interface TextFieldProps extends Labelled, Omit<ComponentProps<"input">, keyof Labelled | "value" | "onChange"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, hint, fault, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(given) => <Input {...given} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export interface SelectFieldProps<Value extends string> extends Labelled {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Values, or values with their words. */
  readonly options: readonly (Value | readonly [Value, string])[];
  readonly className?: string;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, value, onChange, options, className = "" } = props;
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  const choose = (wanted: string) => {
    const chosen = pairs.find(([each]) => each === wanted);
    if (chosen) onChange(chosen[0]);
  };
  return (
    <Field label={label} hint={hint}>
      {(given) => (
        <select
          {...given}
          className={`input ${className}`}
          value={value}
          onChange={(event) => choose(event.target.value)}
        >
          {pairs.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
