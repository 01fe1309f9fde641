// A time that has not passed yet: the type of the deadline that statements carry (engine/statement-deadline.ts).

export const statementDeadlineSchema = {
  name: "0115-statement-deadline",
  sql: "create domain statement_deadline as timestamptz check (value > clock_timestamp());",
};
