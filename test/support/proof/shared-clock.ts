/** Returns milliseconds of the system's monotonic clock, which all processes of a machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
