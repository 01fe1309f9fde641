// Copies text to the clipboard and confirms it with a toast.

import { toast } from "./toast.tsx";

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.done(`${what} copied`);
  } catch {
    toast.failed("Not copied.", "The browser did not let this page write to the clipboard.");
  }
}
