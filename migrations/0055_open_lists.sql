-- compatible
-- The code holds the list of ways in, as it does for kinds of mail and for the reasons of a revocation: versions that know a way in
-- and versions that do not run side by side during a rollout, and the latter read it as another one.
ALTER TABLE sessions DROP CONSTRAINT sessions_origin_check;
