// Repeatable random choices: `FAULTS_SEED=N` repeats the choices of a run. The timing of their effects depends on the
// machine.

export const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
