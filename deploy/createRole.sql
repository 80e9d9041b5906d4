-- Run by the image of PostgreSQL when it makes the database of compose.yaml: a role for the network, which owns its database and
-- nothing else. The password comes from the environment.
\set ON_ERROR_STOP on
\getenv password NETWORK_PASSWORD
create role understudy login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database understudy owner understudy;
revoke connect, temporary on database understudy, postgres, template1 from public;
