// An action of the user: a request that may ask for confirmation first. Afterwards its outcome is shown and the lists
// that it changed are refetched.

import { useMutation } from "@tanstack/react-query";
import { readAgain } from "../api/queries.ts";
import { confirm, type Question } from "./dialog.tsx";
import { toast } from "./toast.tsx";

export interface Action<Result, Given> {
  readonly run: (given: Given) => Promise<Result>;
  /** Asked before an action that cannot be undone. */
  readonly ask?: (given: Given) => Question;
  /** The nouns whose lists the action makes stale. */
  readonly nouns?: readonly string[];
  /** "The order is completed." */
  readonly done?: (result: Result, given: Given) => string;
  readonly onDone?: (result: Result, given: Given) => void;
  /** For actions without a form to show the error: "Not stopped." */
  readonly failed?: string;
}

/** `start` runs it; the rest is what TanStack Query reports about a mutation. */
export function useAction<Result, Given = void>(action: Action<Result, Given>) {
  const { run, ask, nouns = [], done, onDone, failed } = action;
  const stale = [...nouns, "attention", "audit"];
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: (result, given) => {
      if (done) toast.done(done(result, given));
      onDone?.(result, given);
    },
    onError: (error) => failed !== undefined && toast.problem(failed, error),
    // After a failure too: a part of it may have been done.
    onSettled: () => readAgain(({ queryKey: [noun] }) => stale.some((each) => each === noun)),
  });
  const start = async (given: Given) => {
    if (!ask || (await confirm(ask(given)))) mutation.mutate(given);
  };
  return { ...mutation, start: (given: Given) => void start(given) };
}
