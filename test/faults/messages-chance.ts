// Chance that can be had again: `FAULTS_SEED=N` repeats what a run has chosen. When things then happen is left to the
// machine.

export const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
