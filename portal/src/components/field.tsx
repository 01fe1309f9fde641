// A form field with its label, hint and error. `Input` alone is for fields whose label is elsewhere (aria-label).

import { type ComponentProps, type ReactNode, useId } from "react";
import { Shape } from "./shape.tsx";
import "./field.css";

export function Input(props: ComponentProps<"input">) {
  return <input autoComplete="off" {...props} className={`input ${props.className ?? ""}`} />;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong and what to write instead. */
  readonly fault?: ReactNode;
  readonly children: (given: {
    readonly id: string;
    readonly "aria-invalid": boolean;
    readonly "aria-describedby": string;
  }) => ReactNode;
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  return (
    <div className={fault ? "field field-wrong" : "field"}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": Boolean(fault), "aria-describedby": `${id}-note` })}
      <div id={`${id}-note`} className="field-note">
        {fault ? (
          <span className="field-fault">
            <Shape name="failed" tone="bad" />
            {fault}
          </span>
        ) : (
          hint
        )}
      </div>
    </div>
  );
}
