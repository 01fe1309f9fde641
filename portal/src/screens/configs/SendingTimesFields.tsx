// When texts are sent: at any time, or on some days between two times of a zone.

import { WEEKDAYS } from "@tandem/sdk";
import { Check } from "../../components/check.tsx";
import { TextField } from "../../components/form.tsx";
import type { TimesDraft } from "./config-draft.ts";

export interface SendingTimesFieldsProps {
  readonly times: TimesDraft | undefined;
  readonly onChange: (times: TimesDraft | undefined) => void;
}

const OFFICE_HOURS = (): TimesDraft => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  days: ["Mon", "Tue", "Wed", "Thu", "Fri"],
  from: "09:00",
  to: "20:00",
});

export function SendingTimesFields({ times, onChange }: SendingTimesFieldsProps) {
  const change = (part: Partial<TimesDraft>) => times && onChange({ ...times, ...part });
  return (
    <div className="config-fields">
      <Check
        label="Only at certain times"
        hint="Texts wait outside of them. Replies to keywords are sent at any time."
        checked={times !== undefined}
        onChange={(isOn) => onChange(isOn ? OFFICE_HOURS() : undefined)}
      />
      {times && (
        <>
          <fieldset className="config-days">
            <legend>Days</legend>
            {WEEKDAYS.map((day) => (
              <Check
                key={day}
                label={day}
                checked={times.days.includes(day)}
                onChange={(isOn) =>
                  change({ days: WEEKDAYS.filter((each) => (each === day ? isOn : times.days.includes(each))) })
                }
              />
            ))}
          </fieldset>
          <div className="config-hours">
            <TextField label="From" type="time" value={times.from} onChange={(from) => change({ from })} />
            <TextField
              label="To"
              hint="Not later than From: on the next day."
              type="time"
              value={times.to}
              onChange={(to) => change({ to })}
            />
          </div>
          <TextField
            label="Time zone"
            hint="Such as America/New_York."
            className="mono"
            value={times.timeZone}
            onChange={(timeZone) => change({ timeZone })}
          />
        </>
      )}
    </div>
  );
}
