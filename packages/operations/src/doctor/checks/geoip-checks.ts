import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import { check, ok, reachCheck, warning, type Check } from '../check.js';

const OLD_DATABASE_DAYS = 90;

const RENEW = 'download a newer one and restart the service';

export const geoipChecks: readonly Check[] = [
  reachCheck({
    id: 'machine.geoip',
    group: 'This machine',
    title: 'The GeoIP database can be read',
    why: 'The service does not start without a database that is configured.',
    reaches: 'geoip',
    fix: 'download GeoLite2 City or DB-IP City Lite, or remove GEOIP_DATABASE',
    judge: ({ path, type }) => ok(`${type} in ${path}`),
  }),
  check({
    id: 'machine.geoip_age',
    group: 'This machine',
    title: 'The GeoIP database is recent',
    why: 'Networks move, and an old database shows the places of their former owners.',
    needs: ['geoip', 'runtime'],
    judge: ({ geoip: { builtAt }, runtime: { now } }) => {
      const seconds = Math.max(0, (now.getTime() - builtAt.getTime()) / 1000);
      const found = `built ${roundedDurationText(seconds)} ago`;
      return seconds <= OLD_DATABASE_DAYS * 86_400 ? ok(found) : warning(found, RENEW);
    },
  }),
];
