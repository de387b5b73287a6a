"""18: conversion, rebellions."""
