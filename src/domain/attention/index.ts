// The front door of what needs attention.

export * from "./finding.ts";
export * from "./ports.ts";
