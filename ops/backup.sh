#!/bin/sh
# A dump each night, then the folder and the object storage of PDFs; fourteen days of each are kept (docs/operations.md, "Backup
# and restore"). Each file gets its name once it is whole. The database notes when the next backup must be there, which is
# how the alert PathwayBackupOverdue knows of one that failed (docs/runbooks/backup-overdue.md).
# The master keys and the folder of keys are in no backup: keep them elsewhere.
PGPASSWORD="$(cat "${PASSWORD_FILE:-/run/secrets/database_password}")"
export PGHOST=database PGUSER=pathway PGDATABASE=pathway PGPASSWORD
to="${BACKUP_DIR:-/backups}"

note_due() {
  psql -qX -v ON_ERROR_STOP=1 -c "UPDATE database_identity SET backup_due_at = $1"
}

# PDFs come and go meanwhile, which tar ends with 1 for. Each that the dump names was there before it.
pack() {
  tar "$@" . || [ $? -eq 1 ]
}

# The day, with the time where the day has a backup: after a loss that one may be all there is, and this database new and empty. A backup
# that is tried again keeps its name, so that the tries do not fill the disk.
name_it() {
  today="$(date -u +%F)"
  case "$name" in
    "$today"*) ;;
    *) if [ -e "$to/pathway-$today.dump" ]; then name="$(date -u +%FT%H%M%S)"; else name="$today"; fi ;;
  esac
}

back_up() {
  pg_dump -Fc > "$new" && mv "$new" "$to/pathway-$name.dump" &&
    pack -C "${DOCUMENTS_DIR:-/documents}" -cf "$new" && mv "$new" "$to/documents-$name.tar" &&
    pack --xattrs -C "${OBJECTS_DIR:-/objects}" -cf "$new" && mv "$new" "$to/objects-$name.tar" &&
    find "$to" -type f -mtime +14 -delete
}

# At the first start the migration works beside it. A dump of nothing would count for a day, and nobody would be told of the next: there is
# no row yet that could note it.
is_new() {
  [ "$(psql -qtAX -c "SELECT coalesce(pg_relation_size(to_regclass('public.database_identity')), 0) = 0")" = t ]
}
while is_new; do
  echo "No process has worked with this database yet: the first backup waits for one" >&2
  sleep "${LOOK_SECONDS:-10}"
done

name=
while true; do
  name_it
  # A killed one leaves half a dump. Another one may be under way, and has a file of its own.
  find "$to" -type f -name '.new*' -mmin +1440 -delete
  new="$(mktemp "$to/.new.XXXXXX")"
  # Before the first one, so that it is missed too when it never comes.
  note_due "coalesce(backup_due_at, now() + interval '2 hours')"
  if back_up; then
    note_due "now() + interval '26 hours'" || echo "The database could not note the backup" >&2
    echo "The backup is complete"
    name=
    sleep "${EVERY_SECONDS:-86400}"
  else
    echo "The backup failed; it is tried again in 15 minutes" >&2
    rm -f "$new"
    sleep "${AGAIN_SECONDS:-900}"
  fi
done
