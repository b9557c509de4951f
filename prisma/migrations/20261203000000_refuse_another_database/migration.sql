-- Ends a transaction that found another database than was noted, or a process that has its keys from the former one. The
-- transaction begins without waiting for the answer to its first statement, so that the statement itself has to refuse.
CREATE FUNCTION refuse_another_database(is_another boolean, has_former_keys boolean) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF is_another THEN
    RAISE EXCEPTION 'The database is another one than was noted' USING ERRCODE = 'PW001';
  END IF;
  IF has_former_keys THEN
    RAISE EXCEPTION 'The keys were read from the former database' USING ERRCODE = 'PW002';
  END IF;
  RETURN true;
END $$;
