/** Statements that the run does not execute, with the reason. */
export const UNSEEN_STATEMENTS: Readonly<Record<string, string>> = {
  doctor_host_state: 'reads the state of the server and no table',
  finance_companies: 'reads the finance database, which is not ours',
  ping: 'run by Database itself, where it is not recorded; reads no table',
};
